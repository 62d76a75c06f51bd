package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectMergeRequestNoteAwardEmoji lists the emoji reactions of a note on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji
func (a *Awards) ListProjectMergeRequestNoteAwardEmoji(
	ctx context.Context, req gen.ListProjectMergeRequestNoteAwardEmojiRequestObject,
) (gen.ListProjectMergeRequestNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestNoteAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestNoteAwardEmoji200ResponseHeaders(headers),
	}, nil
}

// CreateProjectMergeRequestNoteAwardEmoji adds an emoji reaction to a note on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji
func (a *Awards) CreateProjectMergeRequestNoteAwardEmoji(
	ctx context.Context, req gen.CreateProjectMergeRequestNoteAwardEmojiRequestObject,
) (gen.CreateProjectMergeRequestNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestNoteAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}

// GetProjectMergeRequestNoteAwardEmoji returns an emoji reaction of a note on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) GetProjectMergeRequestNoteAwardEmoji(
	ctx context.Context, req gen.GetProjectMergeRequestNoteAwardEmojiRequestObject,
) (gen.GetProjectMergeRequestNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestNoteAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}

// DeleteProjectMergeRequestNoteAwardEmoji removes an emoji reaction from a note on a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) DeleteProjectMergeRequestNoteAwardEmoji(
	ctx context.Context, req gen.DeleteProjectMergeRequestNoteAwardEmojiRequestObject,
) (gen.DeleteProjectMergeRequestNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestNoteAwardEmoji204Response{}, nil
}
