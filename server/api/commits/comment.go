package commits

import (
	"context"
	"encoding/json"
	"strings"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
)

// ListProjectRepositoryCommitComments lists the comments on a commit.
// GET /projects/{id}/repository/commits/{sha}/comments
func (c *Commits) ListProjectRepositoryCommitComments(
	ctx context.Context, req gen.ListProjectRepositoryCommitCommentsRequestObject,
) (gen.ListProjectRepositoryCommitCommentsResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "Note", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := c.store.Notes.List(ctx, store.NoteFilter{On: note.CommitOf(row.Project, commit.ID), Asc: true}, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitComments200JSONResponse{
		Body:    present.All(rows, c.show.CommitComment),
		Headers: gen.ListProjectRepositoryCommitComments200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectRepositoryCommitComment adds a comment to a commit, or to a line of the commit.
// POST /projects/{id}/repository/commits/{sha}/comments
func (c *Commits) CreateProjectRepositoryCommitComment(
	ctx context.Context, req gen.CreateProjectRepositoryCommitCommentRequestObject,
) (gen.CreateProjectRepositoryCommitCommentResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	at, err := readPosition(commit, *req.Body)
	if err != nil {
		return nil, err
	}
	on := note.Item{Row: row, On: note.CommitOf(row.Project, commit.ID), Caller: reqctx.Of(ctx).Actor.User.ID}
	note, err := c.notes.Create(ctx, on, note.NewNote{Body: req.Body.Note, Position: at})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitComment201JSONResponse(c.show.CommitComment(note)), nil
}

// readPosition returns the position of the line that a comment is about, or nil if the comment is about the whole commit.
func readPosition(commit git.Commit, b gen.CommitCommentCreate) (*string, error) {
	if strings.TrimSpace(b.Note) == "" {
		return nil, apierr.BadParameter("note is empty")
	}
	if b.Path == nil {
		return nil, nil
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
		return nil, apierr.BadParameter(strings.Join(wrong, ", "))
	}
	at := gen.NotePosition{HeadSha: &commit.ID, OldPath: &path, NewPath: &path, PositionType: gen.NotePositionTypeText, NewLine: b.Line}
	if len(commit.Parents) > 0 {
		at.BaseSha, at.StartSha = &commit.Parents[0], &commit.Parents[0]
	}
	if *b.LineType == gen.CommitLineTypeOld {
		at.OldLine, at.NewLine = b.Line, nil
	}
	text, err := json.Marshal(at)
	kept := string(text)
	return &kept, err
}
