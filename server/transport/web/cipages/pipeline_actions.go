package cipages

import (
	"context"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// findPipeline returns the pipeline of the address.
func (p *Pages) findPipeline(v *page.Visit) (model.Pipeline, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.Pipeline{}, err
	}
	found, err := p.Store.Pipelines.Get(v.Request().Context(), v.Project.Project.ID, id)
	return found, apierr.OrNotFound(err, "")
}

// mayRun refuses callers who may not run jobs on a ref.
func (p *Pages) mayRun(v *page.Visit, ref string, tag bool) error {
	allowed, err := p.Pusher.MayRun(v.Request().Context(), *v.Project, ref, tag)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return err
}

// changePipeline does something with a pipeline, on behalf of a user who may run jobs on its ref.
func (p *Pages) changePipeline(v *page.Visit, do func(ctx context.Context, id, user int64) error) error {
	found, err := p.findPipeline(v)
	if err != nil {
		return err
	}
	if err := p.mayRun(v, found.Ref, found.Tag); err != nil {
		return err
	}
	ctx := v.Request().Context()
	if err := do(ctx, found.ID, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return err
	}
	return v.Redirect(pipelinePath(v.Project.Project, found.ID))
}

// cancelPipeline cancels a pipeline.
// POST /{project}/-/pipelines/{id}/cancel
func (p *Pages) cancelPipeline(v *page.Visit) error {
	return p.changePipeline(v, func(ctx context.Context, id, _ int64) error { return p.Engine.CancelAll(ctx, id) })
}

// retryPipeline runs the failed jobs of a pipeline again.
// POST /{project}/-/pipelines/{id}/retry
func (p *Pages) retryPipeline(v *page.Visit) error { return p.changePipeline(v, p.Engine.RetryAll) }

// deletePipeline deletes a pipeline.
// POST /{project}/-/pipelines/{id}/delete
func (p *Pages) deletePipeline(v *page.Visit) error {
	found, err := p.findPipeline(v)
	if err != nil {
		return err
	}
	if err := p.Launcher.Delete(v.Request().Context(), found, nil); err != nil {
		return err
	}
	return v.Done(at(v, "pipelines"), "Pipeline #"+strconv.FormatInt(found.ID, 10)+" was deleted.")
}
