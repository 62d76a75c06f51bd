// Package commits implements the API operations that read commits: their diffs, refs, signatures, comments, statuses
// and merge requests.
//
//	service.go    construction, and finding a commit
//	commit.go     one commit
//	list.go       the list of commits
//	part.go       the diff, refs, sequence and merge requests of a commit
//	comment.go    comments on a commit
//	status.go     statuses of a commit
//	signature.go  the signature of a commit
package commits

import (
	"context"
	"errors"

	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/domain/repository/push"
	"svc/server/domain/repository/signature"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Commits implements the operations that read commits, comment on them and report their status.
type Commits struct {
	store      *store.Store
	access     *access.Access
	repos      *push.Pusher
	pages      pagination.MaxOffset
	show       present.Presenter
	signatures *signature.Checker
	notes      *note.Service
	merges     *mergerequest.Viewer
}

// New returns the commit operations.
func New(
	st *store.Store, a *access.Access, repos *push.Pusher, pages pagination.MaxOffset, show present.Presenter,
	t *note.Service, merges *mergerequest.Viewer,
) *Commits {
	return &Commits{store: st, access: a, repos: repos, pages: pages, show: show, signatures: signature.New(st), notes: t, merges: merges}
}

// open finds a project, requires the ability in it, and opens its repository.
func (c *Commits) open(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, git.Repo, error) {
	row, err := c.access.Project(ctx, ref, ability)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := c.repos.Repo(row.Project)
	return row, repo, err
}

// find does the same as open, and also finds the commit that a revision names.
func (c *Commits) find(ctx context.Context, ref, rev string, ability access.Ability) (model.ProjectRow, git.Repo, git.Commit, error) {
	row, repo, err := c.open(ctx, ref, ability)
	if err != nil {
		return row, repo, git.Commit{}, err
	}
	id, err := repo.Resolve(ctx, rev)
	if err != nil {
		return row, repo, git.Commit{}, commitNotFound(err)
	}
	commit, err := repo.Commit(ctx, id)
	return row, repo, commit, commitNotFound(err)
}

// commitNotFound turns a missing commit into a 404.
func commitNotFound(err error) error {
	if errors.Is(err, git.ErrNotFound) {
		return apierr.NotFound("Commit")
	}
	return err
}
