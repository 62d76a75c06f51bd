package notes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectIssueNotes lists the notes on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes
func (n *Notes) ListProjectIssueNotes(
	ctx context.Context, req gen.ListProjectIssueNotesRequestObject,
) (gen.ListProjectIssueNotesResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := n.list(ctx, p, filter(p, q.Sort, q.OrderBy, q.ActivityFilter), q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueNotes200JSONResponse{Body: rows, Headers: gen.ListProjectIssueNotes200ResponseHeaders(headers)}, nil
}

// CreateProjectIssueNote comments on an issue.
// POST /projects/{id}/issues/{issue_iid}/notes
func (n *Notes) CreateProjectIssueNote(
	ctx context.Context, req gen.CreateProjectIssueNoteRequestObject,
) (gen.CreateProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, done, err := n.create(ctx, p, *req.Body)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return gen.CreateProjectIssueNote202JSONResponse{CommandsChanges: done.Changes, Summary: done.Summary}, nil
	}
	return gen.CreateProjectIssueNote201JSONResponse(shown), nil
}

// GetProjectIssueNote shows a note on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) GetProjectIssueNote(
	ctx context.Context, req gen.GetProjectIssueNoteRequestObject,
) (gen.GetProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueNote200JSONResponse(n.presenter(p).Note(row)), nil
}

// UpdateProjectIssueNote changes a note on an issue.
// PUT /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) UpdateProjectIssueNote(
	ctx context.Context, req gen.UpdateProjectIssueNoteRequestObject,
) (gen.UpdateProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := n.update(ctx, p, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIssueNote200JSONResponse(shown), nil
}

// DeleteProjectIssueNote deletes a note on an issue.
// DELETE /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) DeleteProjectIssueNote(
	ctx context.Context, req gen.DeleteProjectIssueNoteRequestObject,
) (gen.DeleteProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	if err := n.discussion.Remove(ctx, p, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueNote204Response{}, nil
}
