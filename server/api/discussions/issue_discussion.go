package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectIssueDiscussions lists the threads on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions
func (d *Discussions) ListProjectIssueDiscussions(
	ctx context.Context, req gen.ListProjectIssueDiscussionsRequestObject,
) (gen.ListProjectIssueDiscussionsResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueDiscussions200ResponseHeaders(headers),
	}, nil
}

// CreateProjectIssueDiscussion starts a thread on an issue.
// POST /projects/{id}/issues/{issue_iid}/discussions
func (d *Discussions) CreateProjectIssueDiscussion(
	ctx context.Context, req gen.CreateProjectIssueDiscussionRequestObject,
) (gen.CreateProjectIssueDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, nil)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueDiscussion201JSONResponse(shown), nil
}

// GetProjectIssueDiscussion returns a thread on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}
func (d *Discussions) GetProjectIssueDiscussion(
	ctx context.Context, req gen.GetProjectIssueDiscussionRequestObject,
) (gen.GetProjectIssueDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueDiscussion200JSONResponse(shown), nil
}

// CreateProjectIssueDiscussionNote adds a note to a thread on an issue.
// POST /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectIssueDiscussionNote(
	ctx context.Context, req gen.CreateProjectIssueDiscussionNoteRequestObject,
) (gen.CreateProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueDiscussionNote201JSONResponse(shown), nil
}

// GetProjectIssueDiscussionNote returns a note of a thread on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectIssueDiscussionNote(
	ctx context.Context, req gen.GetProjectIssueDiscussionNoteRequestObject,
) (gen.GetProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectIssueDiscussionNote changes a note of a thread on an issue.
// PUT /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectIssueDiscussionNote(
	ctx context.Context, req gen.UpdateProjectIssueDiscussionNoteRequestObject,
) (gen.UpdateProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateNote(ctx, p, req.DiscussionID, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIssueDiscussionNote200JSONResponse(shown), nil
}

// DeleteProjectIssueDiscussionNote deletes a note of a thread on an issue.
// DELETE /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectIssueDiscussionNote(
	ctx context.Context, req gen.DeleteProjectIssueDiscussionNoteRequestObject,
) (gen.DeleteProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueDiscussionNote204Response{}, nil
}
