package variables

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// ListAdminCiVariables lists the instance variables in the order of their creation.
// GET /admin/ci/variables
func (v *Variables) ListAdminCiVariables(
	ctx context.Context, req gen.ListAdminCiVariablesRequestObject,
) (gen.ListAdminCiVariablesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, v.pages, "Ci::InstanceVariable", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := v.store.InstanceVariables.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListAdminCiVariables200JSONResponse{
		Body:    present.All(rows, present.InstanceVariable),
		Headers: gen.ListAdminCiVariables200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetAdminCiVariable shows an instance variable.
// GET /admin/ci/variables/{key}
func (v *Variables) GetAdminCiVariable(
	ctx context.Context, req gen.GetAdminCiVariableRequestObject,
) (gen.GetAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	row, err := v.store.InstanceVariables.GetByKey(ctx, req.Key)
	if err != nil {
		return nil, err
	}
	return gen.GetAdminCiVariable200JSONResponse(present.InstanceVariable(row)), nil
}

// DeleteAdminCiVariable removes an instance variable.
// DELETE /admin/ci/variables/{key}
func (v *Variables) DeleteAdminCiVariable(
	ctx context.Context, req gen.DeleteAdminCiVariableRequestObject,
) (gen.DeleteAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	if err := v.variables.DeleteInstance(ctx, req.Key, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteAdminCiVariable204Response{}, nil
}
