package variables

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectVariable removes a variable of a project.
// DELETE /projects/{id}/variables/{key}
func (v *Variables) DeleteProjectVariable(
	ctx context.Context, req gen.DeleteProjectVariableRequestObject,
) (gen.DeleteProjectVariableResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.AdminProjectVariable)
	if err != nil {
		return nil, err
	}
	err = set.Delete(ctx, req.Key, scopeOf(req.Params.Filter), reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectVariable204Response{}, nil
}

// DeleteGroupVariable removes a variable of a group.
// DELETE /groups/{id}/variables/{key}
func (v *Variables) DeleteGroupVariable(
	ctx context.Context, req gen.DeleteGroupVariableRequestObject,
) (gen.DeleteGroupVariableResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = set.Delete(ctx, req.Key, scopeOf(req.Params.Filter), reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupVariable204Response{}, nil
}
