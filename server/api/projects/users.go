package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectUsers lists the users who have a role in a project.
// GET /projects/{id}/users
func (p *Projects) ListProjectUsers(
	ctx context.Context, req gen.ListProjectUsersRequestObject,
) (gen.ListProjectUsersResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProjectUser)
	if err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "User"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	var skip []int64
	if req.Params.SkipUsers != nil {
		skip = *req.Params.SkipUsers
	}
	rows, total, err := p.store.Projects.ListUsers(ctx, row.Project.ID, wire.Value(req.Params.Search), skip, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectUsers200JSONResponse{
		Body:    present.All(rows, p.show.UserBasic),
		Headers: gen.ListProjectUsers200ResponseHeaders(window.Headers(total)),
	}, nil
}
