package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectStarrers lists the users who have starred a project.
// GET /projects/{id}/starrers
func (p *Projects) ListProjectStarrers(
	ctx context.Context, req gen.ListProjectStarrersRequestObject,
) (gen.ListProjectStarrersResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "User"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	search := wire.Value(req.Params.Search)
	rows, total, err := p.store.ProjectStars.List(ctx, row.Project.ID, search, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectStarrers200JSONResponse{
		Body:    present.All(rows, p.show.Starrer),
		Headers: gen.ListProjectStarrers200ResponseHeaders(window.Headers(total)),
	}, nil
}
