package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
)

// ListProjectMilestoneMergeRequests lists the merge requests of a milestone.
// GET /projects/{id}/milestones/{milestone_id}/merge_requests
func (m *Milestones) ListProjectMilestoneMergeRequests(
	ctx context.Context, req gen.ListProjectMilestoneMergeRequestsRequestObject,
) (gen.ListProjectMilestoneMergeRequestsResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err == nil && !row.ReadsMergeRequests() {
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.mergeRequests(ctx, in, req.MilestoneID, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestoneMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectMilestoneMergeRequests200ResponseHeaders(headers),
	}, nil
}

// ListGroupMilestoneMergeRequests lists the merge requests of a milestone.
// GET /groups/{id}/milestones/{milestone_id}/merge_requests
func (m *Milestones) ListGroupMilestoneMergeRequests(
	ctx context.Context, req gen.ListGroupMilestoneMergeRequestsRequestObject,
) (gen.ListGroupMilestoneMergeRequestsResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	q := gen.ListProjectMilestoneMergeRequestsParams(req.Params)
	rows, headers, err := m.mergeRequests(ctx, in, req.MilestoneID, q)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestoneMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListGroupMilestoneMergeRequests200ResponseHeaders(headers),
	}, nil
}

// mergeRequests returns one page of the merge requests of a milestone.
func (m *Milestones) mergeRequests(
	ctx context.Context, in place, id int64, q gen.ListProjectMilestoneMergeRequestsParams,
) ([]gen.MergeRequest, pagination.Headers, error) {
	if _, err := m.milestones.Get(ctx, in.Owner, id); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "MergeRequest", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.MergeRequests.List(
		ctx, in.scope, store.MergeRequestFilter{IssuableFilter: store.IssuableFilter{MilestoneID: &id}}, window.Page,
	)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	details, err := m.merges.Details(ctx, rows...)
	show := m.show.MergeRequests(present.MergeRequestDetails(details), in.path, clock.Now(ctx))
	return present.All(rows, show.MergeRequest), window.Headers(total), err
}
