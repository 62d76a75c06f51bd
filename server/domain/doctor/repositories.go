package doctor

import (
	"context"
	"errors"
	"fmt"

	"svc/server/domain/repository/lifecycle"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
)

// kindNames are the kinds of repositories in the words of people.
var kindNames = map[model.RepositoryKind]string{
	model.ProjectRepository:     "project",
	model.ProjectWikiRepository: "wiki of the project",
	model.GroupWikiRepository:   "wiki of the group",
	model.SnippetRepository:     "snippet",
}

// nameOf names a repository for people.
func nameOf(row model.StoredRepository) string {
	if row.Kind == model.SnippetRepository {
		return fmt.Sprintf("snippet %d (%s)", row.ID, row.Name)
	}
	return kindNames[row.Kind] + " " + row.Name
}

// checkRepositories checks every repository that something was written to.
func (d *Doctor) checkRepositories(ctx context.Context, r *Result) error {
	checked := 0
	err := d.store.Instance.EachRepository(ctx, func(row model.StoredRepository) error {
		if err := d.checkRepository(ctx, r, row); err != nil {
			return fmt.Errorf("%s: %w", nameOf(row), err)
		}
		if checked++; checked%100 == 0 {
			d.progress("repositories: %d checked", checked)
		}
		return nil
	})
	r.Note = fmt.Sprintf("%d checked", checked)
	if d.Deep {
		r.Note += " with git fsck"
	}
	return err
}

// checkRepository checks one repository.
func (d *Doctor) checkRepository(ctx context.Context, r *Result, row model.StoredRepository) error {
	switch {
	case !d.repos.Has(row.Storage):
		r.problem("Add the storage to SVC_STORAGES again.", "the %s is on the storage %s, which the settings do not have", nameOf(row),
			row.Storage)
		return nil
	case !row.Written || !d.usable[row.Storage]:
		return nil
	}
	repo := lifecycle.Owner{Kind: row.Kind, ID: row.ID}.On(d.repos, row.Storage)
	problems, err := d.repositoryProblems(ctx, repo, row)
	if err != nil || len(problems) == 0 {
		return err
	}
	if gone, err := d.changed(ctx, row); err != nil || gone {
		return err
	}
	more := ""
	if len(problems) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(problems)-1)
	}
	r.problem(restore(repo), "the repository of the %s in %s is broken: %s%s", nameOf(row), repo.Folder(), problems[0], more)
	return nil
}

// repositoryProblems returns what is wrong with a repository.
func (d *Doctor) repositoryProblems(ctx context.Context, repo git.Repo, row model.StoredRepository) ([]string, error) {
	err := repo.CheckReadable()
	var damaged *storage.DamagedError
	switch {
	case errors.As(err, &damaged):
		return []string{damaged.Reason}, nil
	case err != nil:
		return nil, err
	}
	return d.contentProblems(ctx, repo, row)
}

// contentProblems returns what is wrong with the objects of a repository.
func (d *Doctor) contentProblems(ctx context.Context, repo git.Repo, row model.StoredRepository) ([]string, error) {
	if d.Deep {
		d.progress("repositories: git fsck of the %s", nameOf(row))
		if problems, err := repo.Fsck(ctx); err != nil || len(problems) > 0 {
			return problems, err
		}
	}
	problems, err := repo.CheckRefs(ctx)
	var failed *git.CommandError
	if errors.As(err, &failed) {
		return []string{failed.Error()}, nil // git refuses to work on it
	}
	if err != nil || len(problems) > 0 || row.Head == "" {
		return problems, err
	}
	_, err = repo.Info(ctx, row.Head)
	if errors.Is(err, git.ErrNotFound) {
		return []string{"its commit " + row.Head + " is missing"}, nil
	}
	return nil, err
}

// changed reports whether a repository was deleted or moved since its row was read: then nothing is wrong with it.
func (d *Doctor) changed(ctx context.Context, row model.StoredRepository) (bool, error) {
	rows, err := d.store.Instance.RepositoriesAfter(ctx, row.Kind, row.ID-1, 1)
	return err == nil && (len(rows) == 0 || rows[0].ID != row.ID || rows[0].Storage != row.Storage), err
}

// restore says how to repair a repository.
func restore(repo git.Repo) string {
	return fmt.Sprintf("Restore the folder %s from a backup, or push the missing commits again from a clone. "+
		"Everything that is wrong: git --git-dir %s fsck --full", repo.Folder(), repo.Folder())
}
