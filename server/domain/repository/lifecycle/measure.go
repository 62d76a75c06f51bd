package lifecycle

import (
	"context"
	"errors"
	"log/slog"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Measurer stores what lists of projects show about repositories: the path of the readme with each push, and the size and
// the number of commits soon after.
type Measurer struct {
	store  *store.Store
	repos  *git.Repositories
	logger *slog.Logger
}

// NewMeasurer returns a Measurer.
func NewMeasurer(st *store.Store, repos *git.Repositories, logger *slog.Logger) *Measurer {
	return &Measurer{store: st, repos: repos, logger: logger}
}

// Pushed updates the readme path after a push and marks the repository for measuring. It runs in the transaction of the
// push.
func (m *Measurer) Pushed(ctx context.Context, r push.Result) error {
	if err := m.store.Repositories.MarkChanged(ctx, r.ProjectID); err != nil {
		return err
	}
	for _, c := range r.Changes {
		if c.Ref == "refs/heads/"+r.Project.DefaultBranch {
			return m.Readme(ctx, r.Project)
		}
	}
	return nil
}

// Readme finds the readme of a project and stores its path.
func (m *Measurer) Readme(ctx context.Context, p model.Project) error {
	repo, err := m.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil {
		return err
	}
	tip, err := repo.Ref("refs/heads/" + p.DefaultBranch)
	name := ""
	if err == nil {
		name, err = repo.Readme(ctx, tip)
	}
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return err
	}
	if name == "" {
		return m.store.Repositories.SetReadme(ctx, p.ID, nil)
	}
	return m.store.Repositories.SetReadme(ctx, p.ID, &name)
}

// MeasureJob is the job that measures changed repositories.
type MeasureJob struct{}

// Kind returns the name of the job in the queue.
func (MeasureJob) Kind() string { return "measure_repositories" }

// measureBatch is how many repositories one run measures; the next run measures the rest.
const measureBatch = 500

// Run measures changed repositories. If one cannot be measured, Run continues with the others.
func (m *Measurer) Run(ctx context.Context, _ MeasureJob) error {
	rows, err := m.store.Repositories.ToMeasure(ctx, measureBatch)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := m.measure(ctx, row); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			m.logger.Error("cannot measure a repository", "project", row.Project.ID, "error", err)
		}
	}
	return nil
}

func (m *Measurer) measure(ctx context.Context, row model.ChangedProject) error {
	repo, err := m.repos.OpenProject(row.Project.RepositoryStorage, row.Project.ID, row.Project.EmptyRepo)
	if err != nil {
		return err
	}
	size, err := repo.Size(ctx)
	if err != nil {
		return err
	}
	commits := int64(0)
	if tip, err := repo.Ref("refs/heads/" + row.Project.DefaultBranch); err == nil {
		if commits, err = repo.CountCommits(ctx, tip); err != nil {
			return err
		}
	}
	return m.store.Repositories.StoreSize(ctx, row, size, commits)
}
