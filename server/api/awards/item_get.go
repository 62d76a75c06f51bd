package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// GetProjectIssueAwardEmoji returns an emoji reaction of an issue.
// GET /projects/{id}/issues/{issue_iid}/award_emoji/{award_id}
func (a *Awards) GetProjectIssueAwardEmoji(
	ctx context.Context, req gen.GetProjectIssueAwardEmojiRequestObject,
) (gen.GetProjectIssueAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}

// GetProjectMergeRequestAwardEmoji returns an emoji reaction of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/award_emoji/{award_id}
func (a *Awards) GetProjectMergeRequestAwardEmoji(
	ctx context.Context, req gen.GetProjectMergeRequestAwardEmojiRequestObject,
) (gen.GetProjectMergeRequestAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Find(ctx, on, req.AwardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestAwardEmoji200JSONResponse(a.show.AwardEmoji(row)), nil
}
