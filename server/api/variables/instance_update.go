package variables

import (
	"cmp"
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// UpdateAdminCiVariable changes the given fields of an instance variable.
// PUT /admin/ci/variables/{key}
func (v *Variables) UpdateAdminCiVariable(
	ctx context.Context, req gen.UpdateAdminCiVariableRequestObject,
) (gen.UpdateAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	row, err := v.updateInstance(ctx, req.Key, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateAdminCiVariable200JSONResponse(present.InstanceVariable(row)), nil
}

// updateInstance changes an instance variable.
func (v *Variables) updateInstance(
	ctx context.Context, key string, body gen.InstanceVariableUpdate,
) (model.InstanceVariable, error) {
	broken := map[string][]string{}
	checkValue(broken, body.Value, body.Description.Ptr(), body.Masked != nil && *body.Masked)
	if err := invalidOrNil(broken); err != nil {
		_, missing := v.store.InstanceVariables.GetByKey(ctx, key) // a missing variable is a 404, whatever the body breaks
		return model.InstanceVariable{}, cmp.Or(missing, err)
	}
	// Whether the stored variable is masked decides whether the new value is valid. The UPDATE statement itself checks
	// this, so that no other request can mask the variable in between.
	onlyUnmasked := body.Masked == nil && !maskable(body.Value)
	var row model.InstanceVariable
	err := events.Audited(ctx, v.store, func(ctx context.Context) (c events.Change, err error) {
		row, err = v.store.InstanceVariables.Update(ctx, key, changes(body), onlyUnmasked)
		return variableChange("ci_instance_variable_updated", key, "Changed instance variable"), err
	})
	var masksNow *store.ChangedError
	if errors.As(err, &masksNow) {
		return row, apierr.Invalid("value", "is invalid")
	}
	return row, err
}

func changes(body gen.InstanceVariableUpdate) map[string]any {
	set := map[string]any{"value": body.Value}
	if body.Description.IsSet() {
		set["description"] = body.Description.Ptr()
	}
	if body.VariableType != nil {
		set["variable_type"] = string(*body.VariableType)
	}
	for _, flag := range [...]struct {
		column string
		value  *bool
	}{{"protected", body.Protected}, {"masked", body.Masked}, {"raw", body.Raw}} {
		if flag.value != nil {
			set[flag.column] = *flag.value
		}
	}
	return set
}
