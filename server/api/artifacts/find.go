package artifacts

import (
	"context"
	"encoding/json"
	"fmt"

	files "svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// job finds a job of a project and requires the ability in that project.
func (a *Artifacts) job(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.Job, error) {
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
