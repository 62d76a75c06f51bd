package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListMergeRequests lists the merge requests of all projects that the caller can see.
// GET /merge_requests
func (m *MergeRequests) ListMergeRequests(
	ctx context.Context, req gen.ListMergeRequestsRequestObject,
) (gen.ListMergeRequestsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadMergeRequests); err != nil {
		return nil, err
	}
	q := gen.ListProjectMergeRequestsParams(req.Params)
	if q.Scope == nil {
		mine := gen.MergeRequestScope("created_by_me")
		q.Scope = &mine
	}
	scope := store.IssuableScope{Reader: access.Reader(ctx), NonArchived: wire.Value(q.NonArchived)}
	rows, window, total, err := m.list(ctx, scope, q, "")
	if err != nil {
		return nil, err
	}
	return gen.ListMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListGroupMergeRequests lists the merge requests of a group.
// GET /groups/{id}/merge_requests
func (m *MergeRequests) ListGroupMergeRequests(
	ctx context.Context, req gen.ListGroupMergeRequestsRequestObject,
) (gen.ListGroupMergeRequestsResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.ReadGroupMergeRequest)
	if err != nil {
		return nil, err
	}
	q := gen.ListProjectMergeRequestsParams(req.Params)
	scope := store.IssuableScope{GroupID: &group.ID, Reader: access.Reader(ctx), NonArchived: wire.Value(q.NonArchived)}
	rows, window, total, err := m.list(ctx, scope, q, group.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListGroupMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectMergeRequests lists the merge requests of a project.
// GET /projects/{id}/merge_requests
func (m *MergeRequests) ListProjectMergeRequests(
	ctx context.Context, req gen.ListProjectMergeRequestsRequestObject,
) (gen.ListProjectMergeRequestsResponseObject, error) {
	row, err := m.access.Project(ctx, req.ID, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	rows, window, total, err := m.list(ctx, store.InProject(row, access.Reader(ctx)), req.Params, row.Project.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}

// list reads one page of the merge requests that fit the parameters.
func (m *MergeRequests) list(
	ctx context.Context, scope store.IssuableScope, q gen.ListProjectMergeRequestsParams, relative string,
) ([]gen.MergeRequestListed, pagination.Window, store.Total, error) {
	return m.listFiltered(ctx, scope, q, filter(ctx, q), relative)
}

// listFiltered reads one page of the merge requests that fit a filter. If the request asks for it, it schedules a check
// of the merge requests that have not been checked yet.
func (m *MergeRequests) listFiltered(
	ctx context.Context, scope store.IssuableScope, q gen.ListProjectMergeRequestsParams, f store.MergeRequestFilter, relative string,
) ([]gen.MergeRequestListed, pagination.Window, store.Total, error) {
	window, err := pagination.OffsetOnly(ctx, m.pages, "MergeRequest", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, window, store.Total{}, err
	}
	rows, total, err := m.store.MergeRequests.List(ctx, scope, f, window.Page)
	if err != nil {
		return nil, window, total, err
	}
	if wire.Value(q.WithMergeStatusRecheck) && scope.Reader != nil {
		if err := m.merger.ScheduleChecks(ctx, rows); err != nil {
			return nil, window, total, err
		}
	}
	if q.View != nil && *q.View == gen.MergeRequestViewSimple {
		return present.All(rows, m.show.MergeRequestSimple), window, total, nil
	}
	details, err := m.viewer.Details(ctx, rows...)
	show := m.show.MergeRequests(present.MergeRequestDetails(details), relative, clock.Now(ctx))
	show.Labels = wire.Value(q.WithLabelsDetails)
	listed := present.All(rows, func(row model.MergeRequestRow) gen.MergeRequestListed { return show.MergeRequest(row) })
	return listed, window, total, err
}
