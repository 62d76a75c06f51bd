package cipages

import (
	"context"
	"errors"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/status"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// jobButtons returns the actions that the visitor may take on a job now.
func (p *Pages) jobButtons(v *page.Visit, job model.Job) ([]page.Button, error) {
	if !v.May(access.UpdateJob) {
		return nil, nil
	}
	ctx := v.Request().Context()
	protected, allowed, err := p.Pusher.RefAccess(ctx, *v.Project, job.Ref, job.Tag)
	if err != nil {
		return nil, err
	}
	path := jobPath(v.Project.Project, job.ID)
	can := status.Job{Status: status.Status(job.Status), When: job.RunWhen, Retried: job.Retried, Erased: job.ErasedAt != nil}
	var all []page.Button
	if allowed && can.Status.IsBlocked() && !job.Retried {
		spec, err := p.Engine.Spec(ctx, &job)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		all = append(all, page.Button{Action: path + "/play", Label: "Run", Confirm: spec.ManualConfirmation})
	}
	if allowed && can.CanRetry() {
		all = append(all, page.Button{Action: path + "/retry", Label: "Run again"})
	}
	if allowed && can.Status.IsCancelable() && !job.Retried {
		all = append(all, page.Button{Action: path + "/cancel", Label: "Cancel", Class: "danger"})
	}
	if can.Status.IsComplete() && job.ErasedAt == nil && job.LogSize > 0 && engine.MayErase(ctx, *v.Project, job, protected) {
		all = append(all, page.Button{
			Action: path + "/erase", Label: "Erase", Class: "danger", Confirm: "Erase the log and the artifacts for good",
		})
	}
	return all, nil
}

// changeJob does something with a job, on behalf of a user who may run jobs on its ref.
func (p *Pages) changeJob(v *page.Visit, do func(ctx context.Context, job model.Job, user int64) (model.Job, error)) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	job, err := p.Store.Jobs.GetAny(ctx, v.Project.Project.ID, id)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	if err := p.mayRun(v, job.Ref, job.Tag); err != nil {
		return err
	}
	shown, err := do(ctx, job, reqctx.Of(ctx).Actor.User.ID)
	if errors.Is(err, engine.ErrWrongStatus) {
		shown, err = job, v.Tell(page.Flash{Text: "The state of the job has changed in the meantime.", Alert: true})
	}
	if err != nil {
		return err
	}
	return v.Redirect(jobPath(v.Project.Project, shown.ID))
}

// cancelJob cancels a job.
// POST /{project}/-/jobs/{id}/cancel
func (p *Pages) cancelJob(v *page.Visit) error {
	return p.changeJob(v, func(ctx context.Context, job model.Job, _ int64) (model.Job, error) {
		return job, p.Engine.Cancel(ctx, job)
	})
}

// retryJob runs a job again.
// POST /{project}/-/jobs/{id}/retry
func (p *Pages) retryJob(v *page.Visit) error {
	return p.changeJob(v, func(ctx context.Context, job model.Job, user int64) (model.Job, error) {
		return p.Engine.Retry(ctx, job, user)
	})
}

// playJob runs a manual or delayed job.
// POST /{project}/-/jobs/{id}/play
func (p *Pages) playJob(v *page.Visit) error {
	return p.changeJob(v, func(ctx context.Context, job model.Job, user int64) (model.Job, error) {
		return job, p.Engine.Play(ctx, job, user, nil)
	})
}

// eraseJob removes the log and the artifacts of a job.
// POST /{project}/-/jobs/{id}/erase
func (p *Pages) eraseJob(v *page.Visit) error {
	row, err := p.findJob(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	protected, _, err := p.Pusher.RefAccess(ctx, *v.Project, row.Job.Ref, row.Job.Tag)
	if err != nil {
		return err
	}
	if !engine.MayErase(ctx, *v.Project, row.Job, protected) {
		return apierr.Forbidden()
	}
	erased, err := p.Logs.EraseAll(ctx, row.Job.ID)
	if err != nil {
		return err
	}
	if !erased {
		return apierr.Conflict("The job is not finished, or it has neither a log nor artifacts.")
	}
	return v.Done(jobPath(v.Project.Project, row.Job.ID), "The log and the artifacts were erased.")
}
