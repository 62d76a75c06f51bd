package variables

import (
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// CreateProjectVariable adds a variable to a project.
// POST /projects/{id}/variables
func (v *Variables) CreateProjectVariable(
	ctx context.Context, req gen.CreateProjectVariableRequestObject,
) (gen.CreateProjectVariableResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.AdminProjectVariable)
	if err != nil {
		return nil, err
	}
	shown, err := create(ctx, set, "project", *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectVariable201JSONResponse(shown), nil
}

// CreateGroupVariable adds a variable to a group.
// POST /groups/{id}/variables
func (v *Variables) CreateGroupVariable(
	ctx context.Context, req gen.CreateGroupVariableRequestObject,
) (gen.CreateGroupVariableResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := create(ctx, set, "group", *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupVariable201JSONResponse(shown), nil
}

// create adds a variable to a project or group.
func create(ctx context.Context, set auditedVariables, owner string, body gen.VariableCreate) (gen.Variable, error) {
	hidden := wire.Value(body.MaskedAndHidden)
	row := model.OwnedVariable{
		Key: body.Key, Value: body.Value, Description: body.Description.Ptr(), VariableType: model.VariableEnv,
		EnvironmentScope: allScopes, Protected: wire.Value(body.Protected), Masked: wire.Value(body.Masked) || hidden,
		Raw: wire.Value(body.Raw), Hidden: hidden,
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	if body.EnvironmentScope != nil {
		row.EnvironmentScope = *body.EnvironmentScope
	}
	broken := map[string][]string{}
	checkKey(broken, row.Key)
	if err := checkOwned(broken, row); err != nil {
		return gen.Variable{}, err
	}
	err := set.Create(ctx, &row)
	var full *store.LimitError
	if errors.As(err, &full) {
		text := fmt.Sprintf("Maximum number of %s ci variables (%d) exceeded", owner, full.Most)
		return gen.Variable{}, apierr.Invalid("base", text)
	}
	return present.Variable(row), explainOwned(err, row.Key)
}
