package variables

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListAdminCiVariables lists the instance variables in the order of their creation.
// GET /admin/ci/variables
func (v *Variables) ListAdminCiVariables(
	ctx context.Context, req gen.ListAdminCiVariablesRequestObject,
) (gen.ListAdminCiVariablesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := v.pages.Offset(ctx, pagination.Kind{Name: "Ci::InstanceVariable"}, req.Params.Page, req.Params.PerPage)
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

// UpdateAdminCiVariable changes the given fields of an instance variable.
// PUT /admin/ci/variables/{key}
func (v *Variables) UpdateAdminCiVariable(
	ctx context.Context, req gen.UpdateAdminCiVariableRequestObject,
) (gen.UpdateAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	body := *req.Body
	broken := map[string][]string{}
	checkValue(broken, body.Value, body.Description.Ptr(), body.Masked != nil && *body.Masked)
	if err := invalidOrNil(broken); err != nil {
		_, missing := v.store.InstanceVariables.GetByKey(ctx, req.Key) // a missing variable is a 404, whatever the body breaks
		return nil, cmp.Or(missing, err)
	}
	// Whether the stored variable is masked decides whether the new value is valid. The UPDATE statement itself checks
	// this, so that no other request can mask the variable in between.
	onlyUnmasked := body.Masked == nil && !maskable(body.Value)
	var row model.InstanceVariable
	err := events.Audited(ctx, v.store, func(ctx context.Context) (c events.Change, err error) {
		row, err = v.store.InstanceVariables.Update(ctx, req.Key, changes(body), onlyUnmasked)
		return variableChange("ci_instance_variable_updated", req.Key, "Changed instance variable"), err
	})
	var masksNow *store.ChangedError
	if errors.As(err, &masksNow) {
		return nil, apierr.Invalid("value", "is invalid")
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateAdminCiVariable200JSONResponse(present.InstanceVariable(row)), nil
}

// DeleteAdminCiVariable removes an instance variable.
// DELETE /admin/ci/variables/{key}
func (v *Variables) DeleteAdminCiVariable(
	ctx context.Context, req gen.DeleteAdminCiVariableRequestObject,
) (gen.DeleteAdminCiVariableResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminInstanceVariable); err != nil {
		return nil, err
	}
	err := events.Audited(ctx, v.store, func(ctx context.Context) (events.Change, error) {
		err := v.store.InstanceVariables.Delete(ctx, req.Key, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return variableChange("ci_instance_variable_deleted", req.Key, "Removed instance variable"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteAdminCiVariable204Response{}, nil
}

func newVariable(body gen.InstanceVariableCreate) model.InstanceVariable {
	row := model.InstanceVariable{Key: body.Key, Value: body.Value, Description: body.Description.Ptr(), VariableType: model.VariableEnv}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	row.Protected = body.Protected != nil && *body.Protected
	row.Masked = body.Masked != nil && *body.Masked
	row.Raw = body.Raw != nil && *body.Raw
	return row
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
