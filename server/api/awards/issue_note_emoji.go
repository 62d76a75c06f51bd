package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectIssueNoteAwardEmoji lists the emoji reactions of a note on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes/{note_id}/award_emoji
func (a *Awards) ListProjectIssueNoteAwardEmoji(
	ctx context.Context, req gen.ListProjectIssueNoteAwardEmojiRequestObject,
) (gen.ListProjectIssueNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueNoteAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueNoteAwardEmoji200ResponseHeaders(headers),
	}, nil
}

// CreateProjectIssueNoteAwardEmoji adds an emoji reaction to a note on an issue.
// POST /projects/{id}/issues/{issue_iid}/notes/{note_id}/award_emoji
func (a *Awards) CreateProjectIssueNoteAwardEmoji(
	ctx context.Context, req gen.CreateProjectIssueNoteAwardEmojiRequestObject,
) (gen.CreateProjectIssueNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueNoteAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}

// GetProjectIssueNoteAwardEmoji returns an emoji reaction of a note on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) GetProjectIssueNoteAwardEmoji(
	ctx context.Context, req gen.GetProjectIssueNoteAwardEmojiRequestObject,
) (gen.GetProjectIssueNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, req.NoteID, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueNoteAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}

// DeleteProjectIssueNoteAwardEmoji removes an emoji reaction from a note on an issue.
// DELETE /projects/{id}/issues/{issue_iid}/notes/{note_id}/award_emoji/{award_id}
func (a *Awards) DeleteProjectIssueNoteAwardEmoji(
	ctx context.Context, req gen.DeleteProjectIssueNoteAwardEmojiRequestObject,
) (gen.DeleteProjectIssueNoteAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, req.NoteID, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueNoteAwardEmoji204Response{}, nil
}
