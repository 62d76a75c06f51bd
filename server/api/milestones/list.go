package milestones

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
)

// ListProjectMilestones lists milestones.
// GET /projects/{id}/milestones
func (m *Milestones) ListProjectMilestones(
	ctx context.Context, req gen.ListProjectMilestonesRequestObject,
) (gen.ListProjectMilestonesResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.list(ctx, in, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestones200JSONResponse{
		Body: rows, Headers: gen.ListProjectMilestones200ResponseHeaders(headers),
	}, nil
}

// ListGroupMilestones lists milestones.
// GET /groups/{id}/milestones
func (m *Milestones) ListGroupMilestones(
	ctx context.Context, req gen.ListGroupMilestonesRequestObject,
) (gen.ListGroupMilestonesResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.list(ctx, in, gen.ListProjectMilestonesParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestones200JSONResponse{
		Body: rows, Headers: gen.ListGroupMilestones200ResponseHeaders(headers),
	}, nil
}

// list returns one page of milestones.
func (m *Milestones) list(
	ctx context.Context, in place, q gen.ListProjectMilestonesParams,
) ([]gen.Milestone, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, m.pages, "Milestone", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := store.MilestoneFilter{
		Ancestors:    wire.Value(q.IncludeAncestors) || wire.Value(q.IncludeParentMilestones),
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
		Title: wire.Value(q.Title), Search: wire.Value(q.Search),
	}
	if q.Iids != nil {
		f.IIDs = *q.Iids
	}
	if q.State != nil {
		f.State = string(*q.State)
	}
	rows, total, err := m.store.Milestones.List(ctx, in.ResourceOwner, f, window.Page)
	return present.All(rows, m.show.Milestone(clock.Now(ctx))), window.Headers(total), err
}
