package notes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectMergeRequestNotes lists the notes on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes
func (n *Notes) ListProjectMergeRequestNotes(
	ctx context.Context, req gen.ListProjectMergeRequestNotesRequestObject,
) (gen.ListProjectMergeRequestNotesResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := n.list(ctx, p, filter(p, q.Sort, q.OrderBy, q.ActivityFilter), q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestNotes200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestNotes200ResponseHeaders(headers),
	}, nil
}

// CreateProjectMergeRequestNote comments on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/notes
func (n *Notes) CreateProjectMergeRequestNote(
	ctx context.Context, req gen.CreateProjectMergeRequestNoteRequestObject,
) (gen.CreateProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, done, err := n.create(ctx, p, *req.Body)
	if err != nil {
		return nil, err
	}
	if done != nil {
		return gen.CreateProjectMergeRequestNote202JSONResponse{CommandsChanges: done.Changes, Summary: done.Summary}, nil
	}
	return gen.CreateProjectMergeRequestNote201JSONResponse(shown), nil
}

// GetProjectMergeRequestNote shows a note on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) GetProjectMergeRequestNote(
	ctx context.Context, req gen.GetProjectMergeRequestNoteRequestObject,
) (gen.GetProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestNote200JSONResponse(n.presenter(p).Note(row)), nil
}

// UpdateProjectMergeRequestNote changes a note on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) UpdateProjectMergeRequestNote(
	ctx context.Context, req gen.UpdateProjectMergeRequestNoteRequestObject,
) (gen.UpdateProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := n.update(ctx, p, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestNote200JSONResponse(shown), nil
}

// DeleteProjectMergeRequestNote deletes a note on a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) DeleteProjectMergeRequestNote(
	ctx context.Context, req gen.DeleteProjectMergeRequestNoteRequestObject,
) (gen.DeleteProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
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
	return gen.DeleteProjectMergeRequestNote204Response{}, nil
}
