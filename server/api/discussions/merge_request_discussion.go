package discussions

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// ListProjectMergeRequestDiscussions lists the threads on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions
func (d *Discussions) ListProjectMergeRequestDiscussions(
	ctx context.Context, req gen.ListProjectMergeRequestDiscussionsRequestObject,
) (gen.ListProjectMergeRequestDiscussionsResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestDiscussions200ResponseHeaders(headers),
	}, nil
}

// CreateProjectMergeRequestDiscussion starts a thread on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/discussions
func (d *Discussions) CreateProjectMergeRequestDiscussion(
	ctx context.Context, req gen.CreateProjectMergeRequestDiscussionRequestObject,
) (gen.CreateProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestDiscussion201JSONResponse(shown), nil
}

// GetProjectMergeRequestDiscussion returns a thread on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}
func (d *Discussions) GetProjectMergeRequestDiscussion(
	ctx context.Context, req gen.GetProjectMergeRequestDiscussionRequestObject,
) (gen.GetProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestDiscussion200JSONResponse(shown), nil
}

// UpdateProjectMergeRequestDiscussion resolves or reopens a thread on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}
func (d *Discussions) UpdateProjectMergeRequestDiscussion(
	ctx context.Context, req gen.UpdateProjectMergeRequestDiscussionRequestObject,
) (gen.UpdateProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ResolveNote)
	if err != nil {
		return nil, err
	}
	thread, err := d.notes.Thread(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	if !thread.Notes[0].Note.Resolvable {
		return nil, apierr.Forbidden()
	}
	if err := d.notes.Resolve(ctx, p, thread.ID, 0, req.Body.Resolved); err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestDiscussion200JSONResponse(shown), nil
}

// CreateProjectMergeRequestDiscussionNote adds a note to a thread on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.CreateProjectMergeRequestDiscussionNoteRequestObject,
) (gen.CreateProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestDiscussionNote201JSONResponse(shown), nil
}

// GetProjectMergeRequestDiscussionNote returns a note of a thread on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.GetProjectMergeRequestDiscussionNoteRequestObject,
) (gen.GetProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectMergeRequestDiscussionNote changes, resolves or reopens a note of a thread on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.UpdateProjectMergeRequestDiscussionNoteRequestObject,
) (gen.UpdateProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	b := req.Body
	var shown gen.Note
	switch {
	case b.Body == nil && b.Resolved == nil:
		return nil, apierr.BadParameter("body, resolved are missing, exactly one parameter must be provided")
	case b.Body != nil && b.Resolved != nil:
		return nil, apierr.BadParameter("body, resolved are mutually exclusive")
	case b.Body != nil:
		shown, err = d.updateNote(ctx, p, req.DiscussionID, req.NoteID, *b.Body)
	default:
		shown, err = d.resolve(ctx, p, req.DiscussionID, req.NoteID, *b.Resolved)
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestDiscussionNote200JSONResponse(shown), nil
}

// resolve resolves or reopens one note of a thread.
func (d *Discussions) resolve(ctx context.Context, p note.Item, thread string, id int64, resolved bool) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err == nil && !row.Note.Resolvable {
		err = apierr.Forbidden()
	}
	if err == nil {
		err = d.notes.Resolve(ctx, p, thread, id, resolved)
	}
	if err != nil {
		return gen.Note{}, err
	}
	return d.note(ctx, p, thread, id)
}

// DeleteProjectMergeRequestDiscussionNote deletes a note of a thread on a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.DeleteProjectMergeRequestDiscussionNoteRequestObject,
) (gen.DeleteProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestDiscussionNote204Response{}, nil
}
