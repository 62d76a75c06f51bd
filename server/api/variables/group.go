package variables

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// ListGroupVariables lists the variables of a group.
// GET /groups/{id}/variables
func (v *Variables) ListGroupVariables(
	ctx context.Context, req gen.ListGroupVariablesRequestObject,
) (gen.ListGroupVariablesResponseObject, error) {
	set, err := v.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := v.list(ctx, set, "Ci::GroupVariable", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupVariables200JSONResponse{Body: rows, Headers: gen.ListGroupVariables200ResponseHeaders(headers)}, nil
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
		return nil, explainOwned(err, req.Key)
	}
	return gen.DeleteGroupVariable204Response{}, nil
}

// ofGroup returns the variables of a group, if the caller may change them.
func (v *Variables) ofGroup(ctx context.Context, id string) (auditedVariables, error) {
	group, _, err := v.access.Group(ctx, id, access.AdminGroupVariable)
	return auditedVariables{v.store.GroupVariables.Of(group.ID), v.store, events.Group(group)}, err
}
