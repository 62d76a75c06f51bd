package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectIssueAwardEmoji lists the emoji reactions of an issue.
// GET /projects/{id}/issues/{issue_iid}/award_emoji
func (a *Awards) ListProjectIssueAwardEmoji(
	ctx context.Context, req gen.ListProjectIssueAwardEmojiRequestObject,
) (gen.ListProjectIssueAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnIssue, req.IssueIid, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueAwardEmoji200ResponseHeaders(headers),
	}, nil
}

// ListProjectMergeRequestAwardEmoji lists the emoji reactions of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/award_emoji
func (a *Awards) ListProjectMergeRequestAwardEmoji(
	ctx context.Context, req gen.ListProjectMergeRequestAwardEmojiRequestObject,
) (gen.ListProjectMergeRequestAwardEmojiResponseObject, error) {
	on, err := a.find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, 0, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := a.list(ctx, on, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestAwardEmoji200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestAwardEmoji200ResponseHeaders(headers),
	}, nil
}
