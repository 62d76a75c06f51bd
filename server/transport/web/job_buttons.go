package web

import (
	"context"

	"svc/server/domain/ci/status"
	"svc/store"
	"svc/store/model"
)

// jobButtons returns the actions that the visitor may take on a job now.
func (w *Web) jobButtons(ctx context.Context, row model.ProjectRow, job model.Job) ([]jobButton, error) {
	if row.Role() < model.Developer || row.Project.Archived {
		return nil, nil
	}
	allowed, err := w.pusher.MayRun(ctx, row, job.Ref, job.Tag)
	if err != nil || !allowed {
		return nil, err
	}
	path := jobPath(row.Project, job)
	can := status.Job{Status: status.Status(job.Status), When: job.RunWhen, Retried: job.Retried, Erased: job.ErasedAt != nil}
	var all []jobButton
	if can.Status.IsBlocked() && !job.Retried {
		spec, err := w.engine.Spec(ctx, &job)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		all = append(all, jobButton{path + "/play", "Run", "", spec.ManualConfirmation})
	}
	if can.CanRetry() {
		all = append(all, jobButton{path + "/retry", "Run again", "", ""})
	}
	if can.Status.IsCancelable() && !job.Retried {
		all = append(all, jobButton{path + "/cancel", "Cancel", "danger", ""})
	}
	return all, nil
}
