package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// find returns a pipeline of a project in which the caller has the ability.
func (p *Pipelines) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.Pipeline, error) {
	row, err := p.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Pipeline{}, err
	}
	found, err := p.store.Pipelines.Get(ctx, row.Project.ID, id)
	return row, found, apierr.OrNotFound(err)
}

// findForChange is find for operations that change a pipeline. On a protected ref, only users who can push or merge to
// that ref may do so.
func (p *Pipelines) findForChange(
	ctx context.Context, project string, id int64,
) (model.ProjectRow, model.Pipeline, error) {
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
