package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// SideRepositories stores the repositories of wikis and snippets. Each has one branch. The database holds the commit of the branch
// and changes it together with the rows that describe the change. The branch on disk follows, at the latest when the
// repository is next used.
type SideRepositories struct {
	store *store.Store
	repos *git.Repositories
	care  func(ctx context.Context, job Job) error
}

// NewSideRepositories returns Sides. care queues maintenance jobs.
func NewSideRepositories(st *store.Store, repos *git.Repositories, care func(ctx context.Context, job Job) error) *SideRepositories {
	return &SideRepositories{store: st, repos: repos, care: care}
}

// Owner names a repository of a wiki or a snippet, or that of a project.
type Owner struct {
	Kind model.RepositoryKind
	ID   int64 // of the project, group or snippet
}

// On returns the repository on a storage.
func (s Owner) On(repos *git.Repositories, storage string) git.Repo {
	switch s.Kind {
	case model.ProjectWikiRepository:
		return repos.ProjectWiki(storage, s.ID)
	case model.GroupWikiRepository:
		return repos.GroupWiki(storage, s.ID)
	case model.SnippetRepository:
		return repos.Snippet(storage, s.ID)
	}
	return repos.Project(storage, s.ID)
}

const sideRef = "refs/heads/" + model.SideBranch

// Open returns a repository for reading, and the commit of its branch, which is empty if nothing was ever written.
func (s *SideRepositories) Open(ctx context.Context, side Owner) (git.Repo, string, error) {
	place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
	if store.IsNotFound(err) {
		return side.On(s.repos, model.DefaultStorage), "", nil
	}
	repo := side.On(s.repos, place.Storage)
	if err == nil && place.Head != "" {
		err = repo.CheckReadable() // something was written to it, so it must exist
	}
	return repo, place.Head, err
}

// OpenForGit is Open for callers that read the branch itself, as git clients do.
func (s *SideRepositories) OpenForGit(ctx context.Context, side Owner) (git.Repo, error) {
	repo, head, err := s.Open(ctx, side)
	if err != nil {
		return repo, err
	}
	if tip, _ := repo.Ref(sideRef); tip == head {
		return repo, repo.Create(model.SideBranch)
	}
	lock, err := repo.Lock(ctx)
	if errors.Is(err, git.ErrNotFound) && head != "" {
		return repo, repo.CheckReadable()
	}
	if errors.Is(err, git.ErrNotFound) {
		return repo, repo.Create(model.SideBranch)
	}
	if err != nil {
		return repo, err
	}
	defer lock.Release()
	place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
	if err != nil || side.On(s.repos, place.Storage) != repo {
		return repo, err // it was moved meanwhile, and was settled before that
	}
	return repo, syncBranch(ctx, repo, lock, place.Head)
}

// syncBranch sets the branch to the commit in the database. The caller holds the lock.
func syncBranch(ctx context.Context, repo git.Repo, lock *git.Lock, head string) error {
	tip, err := repo.Ref(sideRef)
	if err != nil {
		tip = git.Zero
	}
	if head == "" || tip == head {
		return nil
	}
	if _, err := repo.Commit(ctx, head); err != nil {
		return nil //nolint:nilerr // a repository that was set back to an older copy is still read
	}
	return advance(ctx, lock, tip, head)
}

func advance(ctx context.Context, lock *git.Lock, from, to string) error {
	asked := &git.Push{Commands: []git.Command{{Ref: sideRef, Old: from, New: to}}}
	if err := lock.Update(ctx, asked); err != nil {
		return err
	}
	if why := asked.Commands[0].Refused; why != "" {
		return fmt.Errorf("change the branch: %s", why)
	}
	return nil
}

// Edit is a commit to be made.
type Edit struct {
	Author  git.Person
	Message string
	// Changes computes the changes from the current head. If it returns none, no commit is made.
	Changes func(repo git.Repo, head string) ([]git.Change, error)
	// Record writes the rows that describe the change, in the transaction that makes it.
	Record func(ctx context.Context, head string) error
}

// storageTries is how often Write tries again after the repository was moved to another storage.
const storageTries = 3

// Write makes a commit and returns its id. It holds a lock that others wait for, so it must not be called in a
// transaction. It returns store.ErrReadOnly while the repository is being moved, and a *store.NotFoundError if its
// owner was deleted.
func (s *SideRepositories) Write(ctx context.Context, side Owner, e Edit) (string, error) {
	for range storageTries {
		place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
		if err != nil {
			return "", err
		}
		id, moved, err := s.writeOn(ctx, side, place.Storage, place.Head == "", e)
		if err != nil || !moved {
			return id, err
		}
	}
	return "", store.ErrReadOnly
}

// writeOn makes a commit if the repository is still on the storage. If fresh is set, nothing was written yet, and it
// creates the repository.
func (s *SideRepositories) writeOn(ctx context.Context, side Owner, storage string, fresh bool, e Edit) (id string, moved bool, err error) {
	repo := side.On(s.repos, storage)
	if fresh {
		if err := repo.Create(model.SideBranch); err != nil {
			return "", false, err
		}
	}
	lock, err := repo.Lock(ctx)
	if err != nil && !errors.Is(err, git.ErrNotFound) {
		return "", false, err
	}
	gone := err != nil
	if !gone {
		defer lock.Release()
	}
	place, err := s.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
	switch {
	case err != nil:
		return "", false, err
	case place.Storage != storage || gone && place.Head == "":
		return "", true, nil // it was removed as an old copy, or must be created
	case gone:
		return "", false, repo.CheckReadable()
	case place.ReadOnly:
		return "", false, store.ErrReadOnly
	}
	id, err = s.commitLocked(ctx, side, repo, lock, place.Head, e)
	return id, false, err
}

// commitLocked makes a commit on the head in a repository that is locked. It returns "" if nothing changes.
func (s *SideRepositories) commitLocked(
	ctx context.Context, side Owner, repo git.Repo, lock *git.Lock, head string, e Edit,
) (string, error) {
	ctx = context.WithoutCancel(ctx) // once begun, it continues if the client disconnects
	if err := syncBranch(ctx, repo, lock, head); err != nil {
		return "", err
	}
	id, err := commit(ctx, repo, head, e)
	if err != nil || id == "" {
		return "", err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.OtherRepositories.SetHead(ctx, side.Kind, side.ID, id); err != nil {
			return err
		}
		if repo.NeedsRepack() {
			if err := s.care(ctx, MaintainSideJob{Of: side.Kind, ID: side.ID}); err != nil {
				return err
			}
		}
		return e.Record(ctx, id)
	})
	if err != nil {
		return "", err
	}
	if head == "" {
		head = git.Zero
	}
	_ = advance(ctx, lock, head, id) // if it fails, the next use does it
	return id, nil
}

// commit writes a commit that no branch points to yet.
func commit(ctx context.Context, repo git.Repo, head string, e Edit) (string, error) {
	changes, err := e.Changes(repo, head)
	if err != nil || len(changes) == 0 {
		return "", err
	}
	c := git.NewCommit{Author: e.Author, Committer: e.Author, Message: e.Message, Changes: changes}
	if head != "" {
		before, err := repo.Commit(ctx, head)
		if err != nil {
			return "", err
		}
		c.Tree, c.Parents = before.Tree, []string{head}
	}
	return repo.WriteCommit(ctx, c)
}

// New creates the repository of a new snippet, in the transaction that creates the snippet, and returns its first
// commit.
func (s *SideRepositories) New(ctx context.Context, side Owner, e Edit) (string, error) {
	repo := side.On(s.repos, model.DefaultStorage)
	if err := repo.CreateNew(model.SideBranch); err != nil {
		return "", err
	}
	lock, err := repo.Lock(ctx)
	if err != nil {
		return "", err
	}
	defer lock.Release()
	id, err := commit(ctx, repo, "", e)
	if err == nil {
		err = advance(ctx, lock, git.Zero, id)
	}
	if err != nil {
		_ = repo.Delete() // otherwise an unused repository would stay
	}
	return id, err
}

// MaintainSideJob is the job that maintains the repository of a wiki or snippet.
type MaintainSideJob struct {
	Of model.RepositoryKind `json:"of"`
	ID int64                `json:"id"`
}

// Kind returns the name of the job in the queue.
func (MaintainSideJob) Kind() string { return "care_for_side_repository" }

// Maintain maintains a repository, so that it stays fast.
func (s *SideRepositories) Maintain(ctx context.Context, job MaintainSideJob) error {
	repo, _, err := s.Open(ctx, Owner{Kind: job.Of, ID: job.ID})
	if err != nil {
		return err
	}
	return repo.Maintain(ctx)
}
