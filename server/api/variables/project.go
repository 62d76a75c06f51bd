package variables

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// ListProjectVariables lists the variables of a project.
// GET /projects/{id}/variables
func (v *Variables) ListProjectVariables(
	ctx context.Context, req gen.ListProjectVariablesRequestObject,
) (gen.ListProjectVariablesResponseObject, error) {
	set, err := v.ofProject(ctx, req.ID, access.ReadProjectVariable)
	if err != nil {
		return nil, err
	}
	rows, headers, err := v.list(ctx, set, "Ci::Variable", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectVariables200JSONResponse{Body: rows, Headers: gen.ListProjectVariables200ResponseHeaders(headers)}, nil
}

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
		return nil, explainOwned(err, req.Key)
	}
	return gen.DeleteProjectVariable204Response{}, nil
}

// ofProject returns the variables of a project in which the caller has the ability.
func (v *Variables) ofProject(ctx context.Context, id string, ability access.Ability) (auditedVariables, error) {
	row, err := v.access.Project(ctx, id, ability)
	return auditedVariables{v.store.ProjectVariables.Of(row.Project.ID), v.store, events.Project(row.Project)}, err
}
