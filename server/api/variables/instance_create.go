package variables

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// CreateAdminCiVariable adds an instance variable.
// POST /admin/ci/variables
func (v *Variables) CreateAdminCiVariable(
	ctx context.Context, req gen.CreateAdminCiVariableRequestObject,
) (gen.CreateAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	row := newVariable(*req.Body)
	if err := v.variables.CreateInstance(ctx, &row); err != nil {
		return nil, err
	}
	return gen.CreateAdminCiVariable201JSONResponse(present.InstanceVariable(row)), nil
}

func newVariable(body gen.InstanceVariableCreate) model.InstanceVariable {
	row := model.InstanceVariable{
		Key: body.Key, Value: body.Value, Description: body.Description.Ptr(), VariableType: model.VariableEnv,
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	row.Protected = body.Protected != nil && *body.Protected
	row.Masked = body.Masked != nil && *body.Masked
	row.Raw = body.Raw != nil && *body.Raw
	return row
}
