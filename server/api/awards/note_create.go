package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

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
