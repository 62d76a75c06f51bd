// Package triggers manages trigger tokens, and starts pipelines with them.
package triggers

import (
	"context"

	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Triggers are the operations on trigger tokens.
type Triggers struct {
	store    *store.Store
	access   *access.Access
	launch   *launch.Launcher
	jobActor func(ctx context.Context, token string) (*reqctx.Actor, error)
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the trigger operations. jobs returns the actor of a job token.
func New(
	st *store.Store, a *access.Access, l *launch.Launcher,
	jobs func(ctx context.Context, token string) (*reqctx.Actor, error), pages pagination.MaxOffset,
	show present.Presenter,
) *Triggers {
	return &Triggers{store: st, access: a, launch: l, jobActor: jobs, pages: pages, show: show}
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
