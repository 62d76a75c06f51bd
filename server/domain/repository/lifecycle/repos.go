// Package lifecycle creates repositories with their projects, copies them for forks, measures,
// maintains, moves and removes them.
//
//	repos.go      creates, forks and removes the repositories of projects
//	care.go       maintenance after pushes and from time to time
//	claim.go      checks that storages belong to this instance
//	storages.go   the state of storages, for administrators
//	measure.go    the readme, the size and the number of commits, for lists of projects
//	move.go       moves repositories between storages
//	side.go       repositories of wikis and snippets
//	side_pack.go  exports and imports the wiki of a group
package lifecycle

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Repositories creates, copies, maintains, moves and removes repositories.
type Repositories struct {
	store    *store.Store
	repos    *git.Repositories
	measurer *Measurer
	queue    func(ctx context.Context, job Job) error
}

// Job is a job of this package.
type Job interface{ Kind() string }

// New returns the service for the repositories of projects. queue queues jobs in the caller's transaction.
func New(st *store.Store, repos *git.Repositories, measurer *Measurer, queue func(ctx context.Context, job Job) error) *Repositories {
	return &Repositories{store: st, repos: repos, measurer: measurer, queue: queue}
}

// HasStorage reports whether a storage with that name exists.
func (k *Repositories) HasStorage(storage string) bool { return k.repos.Has(storage) }

// Create creates the repository of a new project, in the transaction that creates the project.
func (k *Repositories) Create(_ context.Context, p model.Project) error {
	return k.repo(p).CreateNew(p.DefaultBranch)
}

// CreateFork creates the repository of a new fork and schedules the copy, in the transaction that creates the fork.
func (k *Repositories) CreateFork(ctx context.Context, p model.Project) error {
	if err := k.Create(ctx, p); err != nil || p.ImportStatus != model.ImportScheduled {
		return err
	}
	return k.queue(ctx, Fork{ProjectID: p.ID})
}

// SetDefault sets the default branch of a project: clones check it out, and the readme comes from it. It returns false
// if the repository has branches, but not this one.
func (k *Repositories) SetDefault(ctx context.Context, p model.Project, branch string) (bool, error) {
	repo, err := k.open(p)
	if err != nil {
		return false, err
	}
	if _, err := repo.Ref("refs/heads/" + branch); err != nil && !p.EmptyRepo {
		return false, nil //nolint:nilerr // that is what is asked
	}
	p.DefaultBranch = branch
	if err := k.measurer.Readme(ctx, p); err != nil {
		return true, err
	}
	if err := repo.Create(branch); err != nil {
		return true, err
	}
	return true, repo.SetHead(ctx, branch)
}

func (k *Repositories) repo(p model.Project) git.Repo {
	return k.repos.Project(p.RepositoryStorage, p.ID)
}

// open returns the repository for use of its content: it must exist unless the project is empty.
func (k *Repositories) open(p model.Project) (git.Repo, error) {
	return k.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
}

// Fork is the job that copies the repository of a fork.
type Fork struct {
	ProjectID int64 `json:"project_id"`
}

// Kind returns the name of the job in the queue.
func (Fork) Kind() string { return "fork_repository" }

// Fork copies the repository of a fork. The import becomes finished only once everything is copied.
func (k *Repositories) Fork(ctx context.Context, job Fork) error {
	everything := &store.Reader{Admin: true}
	row, err := k.store.Projects.Get(ctx, job.ProjectID, "", everything)
	if store.IsNotFound(err) || (err == nil && row.Project.ImportStatus != model.ImportScheduled) {
		return nil
	}
	if err != nil {
		return err
	}
	if row.Project.ForkedFromID == nil { // the source was deleted meanwhile
		return k.store.Repositories.StoreCopyResult(ctx, row.Project.ID, model.ImportFailed, true, nil)
	}
	source, err := k.store.Projects.Get(ctx, *row.Project.ForkedFromID, "", everything)
	if err != nil {
		return err
	}
	from, err := k.open(source.Project)
	if err != nil {
		return err
	}
	repo := k.repo(row.Project)
	if err := errors.Join(repo.Create(row.Project.DefaultBranch), repo.CopyAll(ctx, from)); err != nil {
		return err
	}
	branch, tip := repo.Head()
	if tip == "" {
		branch = ""
	}
	refs, err := repo.Refs("refs/")
	if err != nil {
		return err
	}
	err = k.store.Tx(ctx, func(ctx context.Context) error {
		if err := k.store.Repositories.StoreCopyResult(
			ctx, row.Project.ID, model.ImportFinished, len(refs) == 0, push.FirstRule(row, branch),
		); err != nil {
			return err
		}
		if err := k.measurer.Readme(ctx, row.Project); err != nil {
			return err
		}
		return k.store.Repositories.MarkChanged(ctx, row.Project.ID)
	})
	if err != nil {
		return err
	}
	return k.maintainRepo(ctx, row.Project.ID, repo)
}

// Remove is the job that removes the repositories of deleted projects.
type Remove struct{}

// Kind returns the name of the job in the queue.
func (Remove) Kind() string { return "remove_repositories" }

const (
	someRepositories = 100
	// removalPeriod is how long a repository is removed again and again: a request that began before its project was
	// deleted may create it anew.
	removalPeriod = 2 * time.Hour
)

// Remove removes the repositories of deleted projects, snippets and groups.
func (k *Repositories) Remove(ctx context.Context, _ Remove) error {
	before := clock.Now(ctx).Add(-removalPeriod)
	return errors.Join(k.remove(ctx, before), k.removeSides(ctx, before))
}

// removeSides removes the repositories of deleted snippets, and the wikis of deleted groups, from all storages.
func (k *Repositories) removeSides(ctx context.Context, before time.Time) error {
	for {
		rows, err := k.store.OtherRepositories.Deleted(ctx, someRepositories)
		if err != nil {
			return err
		}
		var errs []error
		gone := map[model.RepositoryKind][]int64{}
		for _, row := range rows {
			var err error
			for _, storage := range k.repos.Storages() {
				err = errors.Join(err, Owner{Kind: row.Kind, ID: row.OwnerID}.On(k.repos, storage).Delete())
			}
			if err == nil {
				gone[row.Kind] = append(gone[row.Kind], row.OwnerID)
			}
			errs = append(errs, err)
		}
		for kind, ids := range gone {
			errs = append(errs, k.store.OtherRepositories.ForgetDeleted(ctx, kind, ids, before))
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
		if len(rows) < someRepositories || !rows[0].CreatedAt.Before(before) {
			return nil
		}
	}
}

func (k *Repositories) remove(ctx context.Context, before time.Time) error {
	for {
		rows, err := k.store.Repositories.Deleted(ctx, someRepositories)
		if err != nil {
			return err
		}
		var errs []error
		var gone []int64
		for _, row := range rows {
			if err := errors.Join(
				k.repos.Project(row.Storage, row.ProjectID).Delete(),
				k.repos.ProjectWiki(row.Storage, row.ProjectID).Delete(),
			); err != nil {
				errs = append(errs, err)
				continue
			}
			gone = append(gone, row.ProjectID)
		}
		if err := errors.Join(append(errs, k.store.Repositories.ForgetDeleted(ctx, gone, before))...); err != nil {
			return err
		}
		if len(rows) < someRepositories || !rows[0].CreatedAt.Before(before) {
			return nil
		}
	}
}
