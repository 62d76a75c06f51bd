package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectIssueAwardEmoji adds an emoji reaction to an issue.
// POST /projects/{id}/issues/{issue_iid}/award_emoji
func (a *Awards) CreateProjectIssueAwardEmoji(
	ctx context.Context, req gen.CreateProjectIssueAwardEmojiRequestObject,
) (gen.CreateProjectIssueAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}

// CreateProjectMergeRequestAwardEmoji adds an emoji reaction to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/award_emoji
func (a *Awards) CreateProjectMergeRequestAwardEmoji(
	ctx context.Context, req gen.CreateProjectMergeRequestAwardEmojiRequestObject,
) (gen.CreateProjectMergeRequestAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, 0, access.AwardEmoji)
	if err != nil {
		return nil, err
	}
	row, err := a.awards.Add(ctx, on, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestAwardEmoji201JSONResponse(a.show.AwardEmoji(row)), nil
}
