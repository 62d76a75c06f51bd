package launch

import (
	"context"
	"errors"
	"io"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
)

// artifact reads a CI file that a job of a pipeline has created.
func (l *Launcher) artifact(ctx context.Context, pipelineID int64, name, path string) ([]byte, error) {
	job, err := l.Store.Jobs.GetByName(ctx, pipelineID, name)
	if err != nil {
		return nil, missingFile(err)
	}
	archive, err := l.Files.Get(ctx, job.ID, model.ArchiveArtifact)
	if err != nil {
		return nil, missingFile(err)
	}
	entry, err := l.Files.Entry(ctx, archive, path)
	if err != nil {
		return nil, missingFile(err)
	}
	from, err := entry.Open(0)
	if err != nil {
		return nil, missingFile(err)
	}
	defer from.Close()
	return io.ReadAll(io.LimitReader(from, syntax.MaxFile+1)) // one byte too many shows that the file is too long
}

// missingFile turns the error of a missing file into the failure of the bridge.
func missingFile(err error) error {
	if store.IsNotFound(err) || errors.Is(err, artifacts.ErrNoEntry) || errors.Is(err, artifacts.ErrPath) {
		return newFailure(status.MissingDependencyFailure)
	}
	return err
}
