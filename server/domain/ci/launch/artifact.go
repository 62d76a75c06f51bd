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
	job, err := l.Store.Jobs.Named(ctx, pipelineID, name)
	if err != nil {
		return nil, missing(err)
	}
	archive, err := l.Files.Get(ctx, job.ID, model.ArchiveArtifact)
	if err != nil {
		return nil, missing(err)
	}
	entry, err := l.Files.Entry(ctx, archive, path)
	if err != nil {
		return nil, missing(err)
	}
	from, err := entry.Open(0)
	if err != nil {
		return nil, missing(err)
	}
	defer from.Close()
	return io.ReadAll(io.LimitReader(from, syntax.MaxFile+1)) // one byte too many shows that the file is too long
}

// missing turns the error of a missing file into the failure of the bridge.
func missing(err error) error {
	if store.IsNotFound(err) || errors.Is(err, artifacts.ErrNoEntry) || errors.Is(err, artifacts.ErrPath) {
		return fails(status.MissingDependencyFailure)
	}
	return err
}
