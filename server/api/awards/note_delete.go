package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

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
