package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

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
