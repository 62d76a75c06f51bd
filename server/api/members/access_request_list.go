package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

var requestKind = pagination.Kind{Name: "AccessRequest"}

// ListGroupAccessRequests lists the access requests of a group.
// GET /groups/{id}/access_requests
func (m *Members) ListGroupAccessRequests(
	ctx context.Context, req gen.ListGroupAccessRequestsRequestObject,
) (gen.ListGroupAccessRequestsResponseObject, error) {
	rows, headers, err := m.requests(ctx, m.group(req.ID), req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupAccessRequests200JSONResponse{
		Body: rows, Headers: gen.ListGroupAccessRequests200ResponseHeaders(headers),
	}, nil
}

// ListProjectAccessRequests lists the access requests of a project.
// GET /projects/{id}/access_requests
func (m *Members) ListProjectAccessRequests(
	ctx context.Context, req gen.ListProjectAccessRequestsRequestObject,
) (gen.ListProjectAccessRequestsResponseObject, error) {
	rows, headers, err := m.requests(ctx, m.project(req.ID), req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAccessRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectAccessRequests200ResponseHeaders(headers),
	}, nil
}

func (m *Members) requests(
	ctx context.Context, find finder, number, size *int64,
) ([]gen.AccessRequest, pagination.Headers, error) {
	in, err := find(ctx, readApplicants)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, requestKind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.AccessRequests.List(ctx, in.Type, in.ID, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, m.show.AccessRequest), window.Headers(total), nil
}
