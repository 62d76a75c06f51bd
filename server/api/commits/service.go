// Package commits is what was changed in a repository, and what others say about it.
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

// Commits are the operations on commits.
type Commits struct {
	store  *store.Store
	access *access.Access
	repos  *push.Pusher
	pages  pagination.MaxOffset
	show   present.Presenter
	signed *signature.Checker
	talk   *note.Talk
	merges *mergerequest.Viewer
}

// New takes how projects are judged, where their repositories are, how commits and merge requests are shown, and who writes what is said of them.
func New(st *store.Store, a *access.Access, repos *push.Pusher, pages pagination.MaxOffset, show present.Presenter, t *note.Talk, merges *mergerequest.Viewer) *Commits {
	return &Commits{store: st, access: a, repos: repos, pages: pages, show: show, signed: signature.New(st), talk: t, merges: merges}
}

// open finds a project that the caller has the ability in, and its repository.
func (c *Commits) open(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, git.Repo, error) {
	row, err := c.access.Project(ctx, ref, ability)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := c.repos.Repo(row.Project)
	return row, repo, err
}

// find is open and the commit that a revision names.
func (c *Commits) find(ctx context.Context, ref, rev string, ability access.Ability) (model.ProjectRow, git.Repo, git.Commit, error) {
	row, repo, err := c.open(ctx, ref, ability)
	if err != nil {
		return row, repo, git.Commit{}, err
	}
	id, err := repo.Resolve(ctx, rev)
	if err != nil {
		return row, repo, git.Commit{}, missing(err)
	}
	commit, err := repo.Commit(ctx, id)
	return row, repo, commit, missing(err)
}

// missing tells a caller that a repository does not have the commit.
func missing(err error) error {
	if errors.Is(err, git.ErrNotFound) {
		return apierr.NotFound("Commit")
	}
	return err
}
