// Package pipelines creates, lists, cancels, retries and deletes the pipelines of projects, and shows their test
// reports.
package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/launch"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Pipelines are the operations on pipelines.
type Pipelines struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	engine *engine.Engine
	launch *launch.Launcher
	files  *artifacts.Service
	pusher *push.Pusher
	pages  pagination.MaxOffset
	show   present.Presenter
}

// Dependencies are the dependencies of the pipeline operations.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Repositories *git.Repositories
	Engine       *engine.Engine
	Launcher     *launch.Launcher
	Artifacts    *artifacts.Service
	Pusher       *push.Pusher
	Pages        pagination.MaxOffset
	Presenter    present.Presenter
}

// New returns the pipeline operations.
func New(d Dependencies) *Pipelines {
	return &Pipelines{
		store: d.Store, access: d.Access, repos: d.Repositories, engine: d.Engine, launch: d.Launcher, files: d.Artifacts,
		pusher: d.Pusher, pages: d.Pages, show: d.Presenter,
	}
}

// find returns a pipeline of a project in which the caller has the ability.
func (p *Pipelines) find(ctx context.Context, project string, id int64, ability access.Ability) (model.ProjectRow, model.Pipeline, error) {
	row, err := p.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Pipeline{}, err
	}
	found, err := p.store.Pipelines.Get(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return row, found, err
}

// findForChange is find for operations that change a pipeline. On a protected ref, only users who can push or merge to that ref
// may do so.
func (p *Pipelines) findForChange(ctx context.Context, project string, id int64) (model.ProjectRow, model.Pipeline, error) {
	row, found, err := p.find(ctx, project, id, access.UpdatePipeline)
	if err != nil {
		return row, found, err
	}
	allowed, err := p.pusher.MayRun(ctx, row, found.Ref, found.Tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return row, found, err
}

// presentOne presents a pipeline with all its details.
func (p *Pipelines) presentOne(ctx context.Context, project model.Project, row model.Pipeline) (gen.Pipeline, error) {
	beside, err := p.store.Pipelines.Details(ctx, row)
	return p.show.PipelineSingle(project.FullPath, row, beside), err
}

// reload reads a pipeline after a change and presents it.
func (p *Pipelines) reload(ctx context.Context, project model.Project, id int64) (gen.Pipeline, error) {
	row, err := p.store.Pipelines.Get(ctx, project.ID, id)
	if err != nil {
		return gen.Pipeline{}, err
	}
	return p.presentOne(ctx, project, row)
}
