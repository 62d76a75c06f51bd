package variables

import (
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store"
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
	broken := map[string][]string{}
	checkKey(broken, row.Key)
	checkValue(broken, row.Value, row.Description, row.Masked)
	if err := invalidOrNil(broken); err != nil {
		return nil, err
	}
	err := events.Audited(ctx, v.store, func(ctx context.Context) (events.Change, error) {
		return variableChange("ci_instance_variable_created", row.Key, "Added instance variable"),
			v.store.InstanceVariables.Create(ctx, &row, v.atMost)
	})
	if err != nil {
		return nil, explain(err, row.Key)
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

// explain turns errors of the store into the answers that the API promises.
func explain(err error, key string) error {
	var taken *store.ConflictError
	var full *store.LimitError
	switch {
	case errors.As(err, &taken):
		return apierr.Invalid("key", "("+key+") has already been taken")
	case errors.As(err, &full):
		return apierr.Invalid("base", fmt.Sprintf("Maximum number of ci instance level variables (%d) exceeded", full.Most))
	}
	return err
}
