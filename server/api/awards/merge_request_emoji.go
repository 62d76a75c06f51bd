package awards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

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
