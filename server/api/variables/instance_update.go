package variables

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// UpdateAdminCiVariable changes the given fields of an instance variable.
// PUT /admin/ci/variables/{key}
func (v *Variables) UpdateAdminCiVariable(
	ctx context.Context, req gen.UpdateAdminCiVariableRequestObject,
) (gen.UpdateAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	b := req.Body
	row, err := v.variables.ChangeInstance(ctx, req.Key, variablestore.InstanceChange{
		Value: b.Value, Description: b.Description.Ptr(), SetDescription: b.Description.IsSet(),
		VariableType: (*string)(b.VariableType), Protected: b.Protected, Masked: b.Masked, Raw: b.Raw,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateAdminCiVariable200JSONResponse(present.InstanceVariable(row)), nil
}
