package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// DeleteProjectIssueAwardEmoji removes an emoji reaction from an issue.
// DELETE /projects/{id}/issues/{issue_iid}/award_emoji/{award_id}
func (a *Awards) DeleteProjectIssueAwardEmoji(
	ctx context.Context, req gen.DeleteProjectIssueAwardEmojiRequestObject,
) (gen.DeleteProjectIssueAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueAwardEmoji204Response{}, nil
}

// DeleteProjectMergeRequestAwardEmoji removes an emoji reaction from a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/award_emoji/{award_id}
func (a *Awards) DeleteProjectMergeRequestAwardEmoji(
	ctx context.Context, req gen.DeleteProjectMergeRequestAwardEmojiRequestObject,
) (gen.DeleteProjectMergeRequestAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	if err := a.remove(ctx, on, req.AwardID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestAwardEmoji204Response{}, nil
}
