// Package artifacts implements the API operations on the artifacts of jobs.
package artifacts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	files "svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Enqueue starts a background job that deletes the artifacts of a project.
type Enqueue func(ctx context.Context, job files.EmptyJob) error

// Artifacts implements the operations on the artifacts of jobs.
type Artifacts struct {
	store   *store.Store
	access  *access.Access
	files   *files.Service
	pusher  *push.Pusher
	enqueue Enqueue
	show    present.Presenter
}

// New returns the artifact operations.
func New(st *store.Store, a *access.Access, k *files.Service, pusher *push.Pusher, enqueue Enqueue, show present.Presenter) *Artifacts {
	return &Artifacts{store: st, access: a, files: k, pusher: pusher, enqueue: enqueue, show: show}
}

// job finds a job of a project and requires the ability in that project.
func (a *Artifacts) job(ctx context.Context, project string, id int64, ability access.Ability) (model.ProjectRow, model.Job, error) {
	row, err := a.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := a.store.Jobs.Get(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return row, job, err
}

// latest finds the job with that name in the latest successful pipeline of a ref.
func (a *Artifacts) latest(ctx context.Context, project, ref, name string) (model.ProjectRow, model.Job, error) {
	row, err := a.access.Project(ctx, project, access.ReadArtifact)
	if err != nil {
		return row, model.Job{}, err
	}
	job, err := a.store.Jobs.LatestWithArtifacts(ctx, row.Project.ID, ref, name)
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	return row, job, err
}

// archive finds the artifacts archive of a job. It refuses callers to whom artifacts:access in the CI file denies the
// download.
func (a *Artifacts) archive(ctx context.Context, row model.ProjectRow, job model.Job) (model.JobArtifact, error) {
	text, err := a.store.Jobs.Spec(ctx, job.PipelineID, job.Name)
	if err != nil && !store.IsNotFound(err) {
		return model.JobArtifact{}, err
	}
	var spec syntax.Job
	if text != "" {
		if err := json.Unmarshal([]byte(text), &spec); err != nil {
			return model.JobArtifact{}, fmt.Errorf("read the context of job %d: %w", job.ID, err)
		}
	}
	if spec.Artifacts != nil && !files.MayRead(spec.Artifacts.Access, row.Role()) {
		return model.JobArtifact{}, apierr.Forbidden()
	}
	file, err := a.files.Get(ctx, job.ID, model.ArchiveArtifact)
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	return file, err
}

// reloadJob reads a job again and returns it with its presenter.
func (a *Artifacts) reloadJob(ctx context.Context, row model.ProjectRow, jobID int64) (model.JobRow, present.JobPresenter, error) {
	job, err := a.store.Jobs.GetRow(ctx, jobID)
	return job, present.JobPresenter{Presenter: a.show, Project: row.Project, Now: time.Now()}, err
}
