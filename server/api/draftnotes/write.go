package draftnotes

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/review"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// CreateProjectMergeRequestDraftNote creates a draft of the caller on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/draft_notes
func (d *DraftNotes) CreateProjectMergeRequestDraftNote(
	ctx context.Context, req gen.CreateProjectMergeRequestDraftNoteRequestObject,
) (gen.CreateProjectMergeRequestDraftNoteResponseObject, error) {
	item, err := d.find(ctx, req.ID, req.MergeRequestIid, access.AdminDraftNote)
	if err != nil {
		return nil, err
	}
	b := req.Body
	at, err := position(b.Position)
	if err != nil {
		return nil, err
	}
	row, err := d.reviews.CreateDraft(ctx, item, review.NewDraft{
		Note: b.Note, CommitID: wire.Value(b.CommitID), Thread: wire.Value(b.InReplyToDiscussionID),
		Resolve: wire.Value(b.ResolveDiscussion), Position: at,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestDraftNote201JSONResponse(present.DraftNote(row)), nil
}

// UpdateProjectMergeRequestDraftNote changes a draft of the caller.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}
func (d *DraftNotes) UpdateProjectMergeRequestDraftNote(
	ctx context.Context, req gen.UpdateProjectMergeRequestDraftNoteRequestObject,
) (gen.UpdateProjectMergeRequestDraftNoteResponseObject, error) {
	item, row, err := d.findDraft(ctx, req.ID, req.MergeRequestIid, req.DraftNoteID, access.AdminDraftNote)
	if err != nil {
		return nil, err
	}
	if req.Body.Note == nil && req.Body.Position == nil {
		return nil, apierr.BadRequest("Missing params to modify")
	}
	at, err := position(req.Body.Position)
	if err != nil {
		return nil, err
	}
	text := row.Note
	if req.Body.Note != nil {
		text = *req.Body.Note
	}
	if row, err = d.reviews.UpdateDraft(ctx, item, row, text, at); err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestDraftNote200JSONResponse(present.DraftNote(row)), nil
}

// DeleteProjectMergeRequestDraftNote deletes a draft of the caller.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}
func (d *DraftNotes) DeleteProjectMergeRequestDraftNote(
	ctx context.Context, req gen.DeleteProjectMergeRequestDraftNoteRequestObject,
) (gen.DeleteProjectMergeRequestDraftNoteResponseObject, error) {
	_, row, err := d.findDraft(ctx, req.ID, req.MergeRequestIid, req.DraftNoteID, access.AdminDraftNote)
	if err != nil {
		return nil, err
	}
	if err := d.reviews.DeleteDraft(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestDraftNote204Response{}, nil
}

// PublishProjectMergeRequestDraftNote publishes a draft of the caller.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}/publish
func (d *DraftNotes) PublishProjectMergeRequestDraftNote(
	ctx context.Context, req gen.PublishProjectMergeRequestDraftNoteRequestObject,
) (gen.PublishProjectMergeRequestDraftNoteResponseObject, error) {
	item, row, err := d.findDraft(ctx, req.ID, req.MergeRequestIid, req.DraftNoteID, access.AdminDraftNote)
	if err != nil {
		return nil, err
	}
	if err := d.reviews.Publish(ctx, item, row); err != nil {
		return nil, err
	}
	return gen.PublishProjectMergeRequestDraftNote204Response{}, nil
}

// PublishProjectMergeRequestDraftNotes publishes all drafts of the caller on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/draft_notes/bulk_publish
func (d *DraftNotes) PublishProjectMergeRequestDraftNotes(
	ctx context.Context, req gen.PublishProjectMergeRequestDraftNotesRequestObject,
) (gen.PublishProjectMergeRequestDraftNotesResponseObject, error) {
	item, err := d.find(ctx, req.ID, req.MergeRequestIid, access.AdminDraftNote)
	if err != nil {
		return nil, err
	}
	if err := d.reviews.PublishAll(ctx, item); err != nil {
		return nil, err
	}
	return gen.PublishProjectMergeRequestDraftNotes204Response{}, nil
}
