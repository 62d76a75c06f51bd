package variables

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectVariables lists the variables of a project.
// GET /projects/{id}/variables
func (v *Variables) ListProjectVariables(
	ctx context.Context, req gen.ListProjectVariablesRequestObject,
) (gen.ListProjectVariablesResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.ReadProjectVariable)
	if err != nil {
		return nil, err
	}
	rows, headers, err := v.list(ctx, set, "Ci::Variable", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectVariables200JSONResponse{
		Body: rows, Headers: gen.ListProjectVariables200ResponseHeaders(headers),
	}, nil
}

// ListGroupVariables lists the variables of a group.
// GET /groups/{id}/variables
func (v *Variables) ListGroupVariables(
	ctx context.Context, req gen.ListGroupVariablesRequestObject,
) (gen.ListGroupVariablesResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := v.list(ctx, set, "Ci::GroupVariable", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupVariables200JSONResponse{
		Body: rows, Headers: gen.ListGroupVariables200ResponseHeaders(headers),
	}, nil
}

// list returns one page of the variables of a project or group.
func (v *Variables) list(
	ctx context.Context, set variablestore.Owned, kind string, number, size *int64, paging *gen.Pagination,
) ([]gen.Variable, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, v.pages, kind, number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := set.List(ctx, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, present.Variable), window.Headers(total), nil
}
