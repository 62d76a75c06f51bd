package triggers

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// CreateProjectTrigger creates a trigger token.
// POST /projects/{id}/triggers
func (t *Triggers) CreateProjectTrigger(
	ctx context.Context, req gen.CreateProjectTriggerRequestObject,
) (gen.CreateProjectTriggerResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTrigger)
	if err != nil {
		return nil, err
	}
	made, token, err := t.triggers.Create(ctx, row.Project, reqctx.Of(ctx).Actor.User.ID, req.Body.Description)
	if err != nil {
		return nil, err
	}
	shown, err := t.presentOne(ctx, made, token)
	return gen.CreateProjectTrigger201JSONResponse(shown), err
}

// UpdateProjectTrigger changes the description of a trigger token.
// PUT /projects/{id}/triggers/{trigger_id}
func (t *Triggers) UpdateProjectTrigger(
	ctx context.Context, req gen.UpdateProjectTriggerRequestObject,
) (gen.UpdateProjectTriggerResponseObject, error) {
	project, row, err := t.find(ctx, req.ID, req.TriggerID, access.AdminTrigger)
	if err != nil {
		return nil, err
	}
	if req.Body.Description != nil {
		if row, err = t.triggers.Describe(ctx, project, row, *req.Body.Description); err != nil {
			return nil, err
		}
	}
	shown, err := t.presentOne(ctx, row, row.Hint)
	return gen.UpdateProjectTrigger200JSONResponse(shown), err
}

// DeleteProjectTrigger deletes a trigger token.
// DELETE /projects/{id}/triggers/{trigger_id}
func (t *Triggers) DeleteProjectTrigger(
	ctx context.Context, req gen.DeleteProjectTriggerRequestObject,
) (gen.DeleteProjectTriggerResponseObject, error) {
	project, row, err := t.find(ctx, req.ID, req.TriggerID, access.AdminTrigger)
	if err != nil {
		return nil, err
	}
	if err := t.triggers.Delete(ctx, project, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectTrigger204Response{}, nil
}
