// Package contribution counts the lines that the contributors of a project have added and deleted.
package contribution

import (
	"context"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// CountJob is the background job that counts the lines of a project's contributors. It continues where the last run
// ended, so that running it twice counts nothing twice.
type CountJob struct {
	ProjectID int64 `json:"project_id"`
}

// Kind names the job in the queue.
func (CountJob) Kind() string { return "count_contributions" }

// commitsPerStep is how many commits of the default branch are counted and stored in one step.
const commitsPerStep = 500

// Count returns the handler of the job.
func Count(st *store.Store, repos *git.Repositories) func(context.Context, CountJob) error {
	return func(ctx context.Context, c CountJob) error {
		row, err := st.Projects.Get(ctx, c.ProjectID, "", &store.Reader{Admin: true})
		if store.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		repo, err := repos.OpenProject(row.Project.RepositoryStorage, row.Project.ID, row.Project.EmptyRepo)
		if err != nil {
			return err
		}
		if _, head := repo.Head(); head != "" {
			return count(ctx, st, repo, row.Project.ID, head)
		}
		return nil
	}
}

func count(ctx context.Context, st *store.Store, repo git.Repo, projectID int64, head string) error {
	at, err := st.Contributions.Head(ctx, projectID)
	if err != nil || at == head {
		return err
	}
	if at != "" {
		// Not forward: the branch was reset, or another branch is the default now.
		if forward, err := repo.IsAncestor(ctx, at, head); err != nil || !forward {
			if forgotten, err := st.Contributions.Reset(ctx, projectID, at); err != nil || !forgotten {
				return err
			}
			at = ""
		}
	}
	steps, err := repo.Steps(ctx, at, head, commitsPerStep)
	if err != nil {
		return err
	}
	for _, next := range steps {
		lines, err := repo.Lines(ctx, at, next)
		if err != nil {
			return err
		}
		rows := make([]model.Contribution, len(lines))
		for i, l := range lines {
			rows[i] = model.Contribution{ProjectID: projectID, Email: l.Email, Name: l.Name, Additions: l.Additions, Deletions: l.Deletions}
		}
		if added, err := st.Contributions.Add(ctx, projectID, at, next, rows); err != nil || !added {
			return err // not added: another job has continued from here
		}
		at = next
	}
	return nil
}
