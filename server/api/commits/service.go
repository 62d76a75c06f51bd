// Package commits implements the API operations on commits: reading and creating them, cherry-picks and reverts, and
// the diffs, refs, signatures, comments, statuses and merge requests of a commit.
//
//	service.go        construction, and finding a commit
//	list.go           the list of commits
//	commit.go         one commit
//	create.go         create a commit
//	action.go         the changes that a new commit consists of
//	cherry_pick.go    apply a commit to another branch
//	revert.go         revert a commit
//	diff.go           the changed files of a commit
//	ref.go            the branches and tags that contain a commit
//	sequence.go       the number of ancestors of a commit
//	signature.go      the signature of a commit
//	submodule.go      another commit of a submodule
//	comment.go        comments on a commit
//	status.go         statuses of a commit
//	merge_request.go  the merge requests that introduced a commit
package commits

import (
	"context"
	"errors"

	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/commitstatus"
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

// Commits implements the operations on commits.
type Commits struct {
	store      *store.Store
	access     *access.Access
	repos      *push.Pusher
	writer     *commit.Writer
	notes      *note.Service
	merges     *mergerequest.Viewer
	signatures *signature.Checker
	statuses   *commitstatus.Service
	pages      pagination.MaxOffset
	show       present.Presenter
}

// Dependencies are the dependencies of the commit operations.
type Dependencies struct {
	Store         *store.Store
	Access        *access.Access
	Pusher        *push.Pusher
	Writer        *commit.Writer
	Notes         *note.Service
	MergeRequests *mergerequest.Viewer
	MaxOffset     pagination.MaxOffset
	Presenter     present.Presenter
}

// New returns the commit operations.
func New(d Dependencies) *Commits {
	return &Commits{
		store: d.Store, access: d.Access, repos: d.Pusher, writer: d.Writer, notes: d.Notes, merges: d.MergeRequests,
		signatures: signature.New(d.Store), statuses: commitstatus.New(d.Store), pages: d.MaxOffset, show: d.Presenter,
	}
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
