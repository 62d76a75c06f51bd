package triggers

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// GetProjectTrigger shows a trigger token.
// GET /projects/{id}/triggers/{trigger_id}
func (t *Triggers) GetProjectTrigger(
	ctx context.Context, req gen.GetProjectTriggerRequestObject,
) (gen.GetProjectTriggerResponseObject, error) {
	_, row, err := t.find(ctx, req.ID, req.TriggerID, access.ReadTrigger)
	if err != nil {
		return nil, err
	}
	shown, err := t.presentOne(ctx, row, row.Hint)
	return gen.GetProjectTrigger200JSONResponse(shown), err
}

// find returns a trigger token of a project in which the caller has the ability.
func (t *Triggers) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.Project, model.PipelineTrigger, error) {
	row, err := t.access.Project(ctx, project, ability)
	if err != nil {
		return row.Project, model.PipelineTrigger{}, err
	}
	found, err := t.store.PipelineTriggers.Get(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		err = apierr.NotFound("Trigger")
	}
	return row.Project, found, err
}

// presentOne presents a trigger token with its owner. The token is shown in full only after its creation.
func (t *Triggers) presentOne(ctx context.Context, row model.PipelineTrigger, token string) (gen.Trigger, error) {
	owner, err := t.store.Users.Get(ctx, row.OwnerID)
	return t.show.Trigger(row, owner, token), err
}
