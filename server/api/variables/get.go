package variables

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/variablestore"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectVariable shows a variable of a project.
// GET /projects/{id}/variables/{key}
func (v *Variables) GetProjectVariable(
	ctx context.Context, req gen.GetProjectVariableRequestObject,
) (gen.GetProjectVariableResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.ReadProjectVariable)
	if err != nil {
		return nil, err
	}
	shown, err := get(ctx, set, req.Key, req.Params.Filter)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectVariable200JSONResponse(shown), nil
}

// GetGroupVariable shows a variable of a group.
// GET /groups/{id}/variables/{key}
func (v *Variables) GetGroupVariable(
	ctx context.Context, req gen.GetGroupVariableRequestObject,
) (gen.GetGroupVariableResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := get(ctx, set, req.Key, req.Params.Filter)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupVariable200JSONResponse(shown), nil
}

// get presents a variable of a project or group.
func get(ctx context.Context, set variablestore.Owned, key string, filter *gen.VariableFilter) (gen.Variable, error) {
	row, err := set.Get(ctx, key, scopeOf(filter))
	return present.Variable(row), err
}
