package artifacts

import (
	"context"
	"encoding/json"
	"fmt"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// MayRead reports whether a role in the project may read artifacts whose artifacts:access has the given value.
func MayRead(access string, role model.Access) bool {
	switch access {
	case "none":
		return false
	case "maintainer":
		return role >= model.Maintainer
	case "developer":
		return role >= model.Developer
	}
	return true
}

// ReadableArchive returns the artifacts archive of a job. It refuses callers to whom artifacts:access in the CI file
// denies the download. The project is as the caller sees it.
func (k *Service) ReadableArchive(ctx context.Context, row model.ProjectRow, job model.Job) (model.JobArtifact, error) {
	text, err := k.store.Jobs.Spec(ctx, job.PipelineID, job.Name)
	if err != nil && !store.IsNotFound(err) {
		return model.JobArtifact{}, err
	}
	var spec syntax.Job
	if text != "" {
		if err := json.Unmarshal([]byte(text), &spec); err != nil {
			return model.JobArtifact{}, fmt.Errorf("read the context of job %d: %w", job.ID, err)
		}
	}
	if spec.Artifacts != nil && !MayRead(spec.Artifacts.Access, row.Role()) {
		return model.JobArtifact{}, apierr.Forbidden()
	}
	file, err := k.Get(ctx, job.ID, model.ArchiveArtifact)
	if store.IsNotFound(err) {
		err = apierr.NotFound("")
	}
	return file, err
}
