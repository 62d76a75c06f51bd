package applications

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListApplications lists the applications of the instance and of all users and groups.
// GET /applications
func (a *Applications) ListApplications(
	ctx context.Context, req gen.ListApplicationsRequestObject,
) (gen.ListApplicationsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "Application", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.OAuthApplications.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListApplications200JSONResponse{
		Body:    present.All(rows, present.Application),
		Headers: gen.ListApplications200ResponseHeaders(window.Headers(total)),
	}, nil
}
