package commits

import (
	"context"
	"strings"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/present"
	"svc/server/request"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectRepositoryCommitComments lists the comments on a commit.
// GET /projects/{id}/repository/commits/{sha}/comments
func (c *Commits) ListProjectRepositoryCommitComments(ctx context.Context, req gen.ListProjectRepositoryCommitCommentsRequestObject) (gen.ListProjectRepositoryCommitCommentsResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := c.window(ctx, "Note", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := c.store.CommitNotes.List(ctx, row.Project.ID, commit.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitComments200JSONResponse{
		Body:    present.All(rows, c.show.CommitComment),
		Headers: gen.ListProjectRepositoryCommitComments200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectRepositoryCommitComment adds a comment on a commit, or on a line of it.
// POST /projects/{id}/repository/commits/{sha}/comments
func (c *Commits) CreateProjectRepositoryCommitComment(ctx context.Context, req gen.CreateProjectRepositoryCommitCommentRequestObject) (gen.CreateProjectRepositoryCommitCommentResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	note := model.CommitNote{ProjectID: row.Project.ID, CommitID: commit.ID, Note: req.Body.Note}
	if err := place(&note, *req.Body); err != nil {
		return nil, err
	}
	if note.Author, err = c.store.Users.Get(ctx, request.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	if err := c.store.CommitNotes.Create(ctx, &note); err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitComment201JSONResponse(c.show.CommitComment(note)), nil
}

// place reads which line a comment is about, if any.
func place(note *model.CommitNote, b gen.CommitCommentCreate) error {
	if strings.TrimSpace(b.Note) == "" {
		return apierr.BadParameter("note is empty")
	}
	if b.Path == nil {
		return nil
	}
	path, ok := git.CleanPath(*b.Path)
	var wrong []string
	if !ok || path == "" {
		wrong = append(wrong, "path is invalid")
	}
	if b.Line == nil {
		wrong = append(wrong, "line is missing")
	}
	if b.LineType == nil {
		wrong = append(wrong, "line_type is missing")
	}
	if len(wrong) > 0 {
		return apierr.BadParameter(strings.Join(wrong, ", "))
	}
	note.Path, note.Line, note.LineType = &path, b.Line, (*string)(b.LineType)
	return nil
}
