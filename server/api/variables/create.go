package variables

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/present"
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
	shown, err := create(ctx, set, *req.Body)
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
	shown, err := create(ctx, set, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupVariable201JSONResponse(shown), nil
}

// create adds a variable to a project or group.
func create(ctx context.Context, set variablestore.Owned, body gen.VariableCreate) (gen.Variable, error) {
	hidden := wire.Value(body.MaskedAndHidden)
	row := model.OwnedVariable{
		Key: body.Key, Value: body.Value, Description: body.Description.Ptr(), VariableType: model.VariableEnv,
		EnvironmentScope: variablestore.AllScopes, Protected: wire.Value(body.Protected), Masked: wire.Value(body.Masked) || hidden,
		Raw: wire.Value(body.Raw), Hidden: hidden,
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	if body.EnvironmentScope != nil {
		row.EnvironmentScope = *body.EnvironmentScope
	}
	err := set.Create(ctx, &row)
	return present.Variable(row), err
}
