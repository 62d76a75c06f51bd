package variables

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// UpdateProjectVariable changes the given fields of a project variable.
// PUT /projects/{id}/variables/{key}
func (v *Variables) UpdateProjectVariable(
	ctx context.Context, req gen.UpdateProjectVariableRequestObject,
) (gen.UpdateProjectVariableResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.AdminProjectVariable)
	if err != nil {
		return nil, err
	}
	shown, err := update(ctx, set, req.Key, req.Params.Filter, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectVariable200JSONResponse(shown), nil
}

// UpdateGroupVariable changes the given fields of a group variable.
// PUT /groups/{id}/variables/{key}
func (v *Variables) UpdateGroupVariable(
	ctx context.Context, req gen.UpdateGroupVariableRequestObject,
) (gen.UpdateGroupVariableResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := update(ctx, set, req.Key, req.Params.Filter, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupVariable200JSONResponse(shown), nil
}

// update changes the given fields of a variable of a project or group.
func update(
	ctx context.Context, set variablestore.Owned, key string, filter *gen.VariableFilter, body gen.VariableUpdate,
) (gen.Variable, error) {
	if body.Filter != nil {
		filter = body.Filter
	}
	row, err := set.Change(ctx, key, scopeOf(filter), func(row *model.OwnedVariable) { fill(row, body) })
	return present.Variable(row), err
}

// fill copies the given fields into a row.
func fill(row *model.OwnedVariable, body gen.VariableUpdate) {
	if body.Value != nil {
		row.Value = *body.Value
	}
	if body.Description.IsSet() {
		row.Description = body.Description.Ptr()
	}
	if body.VariableType != nil {
		row.VariableType = string(*body.VariableType)
	}
	if body.EnvironmentScope != nil {
		row.EnvironmentScope = *body.EnvironmentScope
	}
	for flag, given := range map[*bool]*bool{
		&row.Protected: body.Protected, &row.Masked: body.Masked, &row.Raw: body.Raw,
	} {
		if given != nil {
			*flag = *given
		}
	}
}
