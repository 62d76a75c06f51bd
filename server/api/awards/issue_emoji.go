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
