package triggers

import (
	"context"
	"strings"
	"unicode/utf8"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
	"svc/store/secret"
)

const (
	maxDescription = 255
	hintLength     = 4 // characters of the random part
)

// ListProjectTriggers lists the trigger tokens of a project.
// GET /projects/{id}/triggers
func (t *Triggers) ListProjectTriggers(
	ctx context.Context, req gen.ListProjectTriggersRequestObject,
) (gen.ListProjectTriggersResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadTrigger)
	if err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := t.pages.Offset(ctx, pagination.Kind{Name: "Ci::Trigger"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := t.store.PipelineTriggers.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, one := range rows {
		ids = append(ids, one.OwnerID)
	}
	owners, err := t.store.Users.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectTriggers200JSONResponse{
		Body: present.All(rows, func(one model.PipelineTrigger) gen.Trigger {
			return t.show.Trigger(one, owners[one.OwnerID], one.Hint)
		}),
		Headers: gen.ListProjectTriggers200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectTrigger creates a trigger token.
// POST /projects/{id}/triggers
func (t *Triggers) CreateProjectTrigger(
	ctx context.Context, req gen.CreateProjectTriggerRequestObject,
) (gen.CreateProjectTriggerResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.AdminTrigger)
	if err != nil {
		return nil, err
	}
	description, err := checkDescription(req.Body.Description)
	if err != nil {
		return nil, err
	}
	token := secret.NewTriggerToken()
	made := model.PipelineTrigger{
		ProjectID: row.Project.ID, OwnerID: reqctx.Of(ctx).Actor.User.ID, Description: description, Digest: secret.Digest(token),
		Hint: token[:len(secret.TriggerTokenPrefix)+hintLength],
	}
	err = events.Audited(ctx, t.store, func(ctx context.Context) (events.Change, error) {
		err := t.store.PipelineTriggers.Create(ctx, &made)
		return triggerChange(row.Project, made, "pipeline_trigger_created", "Created trigger token"), err
	})
	if err != nil {
		return nil, err
	}
	shown, err := t.presentOne(ctx, made, token)
	return gen.CreateProjectTrigger201JSONResponse(shown), err
}

func checkDescription(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", apierr.Invalid("description", "can't be blank")
	case utf8.RuneCountInString(text) > maxDescription:
		return "", apierr.Invalid("description", "is too long (maximum is 255 characters)")
	}
	return text, nil
}

func (t *Triggers) presentOne(ctx context.Context, row model.PipelineTrigger, token string) (gen.Trigger, error) {
	owner, err := t.store.Users.Get(ctx, row.OwnerID)
	return t.show.Trigger(row, owner, token), err
}

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
		description, err := checkDescription(*req.Body.Description)
		if err != nil {
			return nil, err
		}
		err = events.Audited(ctx, t.store, func(ctx context.Context) (events.Change, error) {
			c := triggerChange(project, row, "pipeline_trigger_updated", "Changed trigger token")
			c.Field, c.From, c.To = "description", row.Description, description
			row, err = t.store.PipelineTriggers.Describe(ctx, row, description)
			return c, err
		})
		if err != nil {
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
	err = events.Audited(ctx, t.store, func(ctx context.Context) (events.Change, error) {
		err := t.store.PipelineTriggers.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return triggerChange(project, row, "pipeline_trigger_deleted", "Removed trigger token"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectTrigger204Response{}, nil
}

func triggerChange(p model.Project, row model.PipelineTrigger, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p),
		Target: events.Target{Type: "Ci::Trigger", ID: row.ID, Details: row.Description}, Message: message,
	}
}
