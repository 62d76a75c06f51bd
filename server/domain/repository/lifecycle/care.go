package lifecycle

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/git"
)

// MaintainJob is the job that maintains the repository of a project, so that it stays fast.
type MaintainJob struct {
	ProjectID int64 `json:"project_id"`
}

// Kind returns the name of the job in the queue.
func (MaintainJob) Kind() string { return "care_for_repository" }

// Pushed queues the maintenance after a push. It runs in the transaction that writes the event of the push.
func (k *Repositories) Pushed(ctx context.Context, p push.Result) error {
	return k.queue(ctx, MaintainJob{ProjectID: p.ProjectID})
}

// QueueMaintenance queues the maintenance of the repository of a project, in the caller's transaction.
func (k *Repositories) QueueMaintenance(ctx context.Context, projectID int64) error {
	return k.queue(ctx, MaintainJob{ProjectID: projectID})
}

// Maintain maintains the repository of a project.
func (k *Repositories) Maintain(ctx context.Context, job MaintainJob) error {
	row, err := k.store.Projects.Get(ctx, job.ProjectID, "", &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	repo, err := k.open(row.Project)
	if err != nil {
		return err
	}
	return k.maintainRepo(ctx, row.Project.ID, repo)
}

func (k *Repositories) maintainRepo(ctx context.Context, id int64, repo git.Repo) error {
	shrinks := repo.NeedsRepack()
	if err := repo.Maintain(ctx); err != nil || !shrinks {
		return err
	}
	return k.store.Repositories.MarkChanged(ctx, id)
}

// Sweep is the job that maintains repositories that nobody pushes to.
type Sweep struct{}

// Kind returns the name of the job in the queue.
func (Sweep) Kind() string { return "sweep_repositories" }

// Sweep removes files that interrupted work has left in repositories, and queues maintenance for those that need it.
func (k *Repositories) Sweep(ctx context.Context, _ Sweep) error {
	last := int64(0)
	var errs []error
	for {
		rows, err := k.store.Repositories.After(ctx, last, someRepositories)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, p := range rows {
			if ctx.Err() != nil {
				return errors.Join(append(errs, ctx.Err())...)
			}
			last = p.ID
			repo := k.repo(p)
			err := repo.Tidy(time.Now().Add(-tidyAfter))
			if err == nil && repo.NeedsRepack() {
				err = k.queue(ctx, MaintainJob{ProjectID: p.ID})
			}
			if err != nil {
				errs = append(errs, err)
			}
		}
		if len(rows) < someRepositories {
			return errors.Join(errs...)
		}
	}
}

// tidyAfter is the minimum age of left-over files before they are removed. No operation takes a day.
const tidyAfter = 24 * time.Hour
