// Package branches implements the API operations on the branches of a repository.
//
//	service.go  construction
//	list.go     the list of branches, and its filters
//	window.go   the order and the pages of the list
//	get.go      one branch
//	create.go   create a branch
//	delete.go   delete a branch, or all merged branches
//	present.go  branches as JSON
package branches

import (
	"context"

	"svc/server/domain/repository/branch"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// Branches implements the operations on branches.
type Branches struct {
	access   *access.Access
	pusher   *push.Pusher
	branches *branch.Service
	pages    pagination.MaxOffset
	show     present.Presenter
	enqueue  func(context.Context, branch.DeleteMergedJob) error
}

// New returns the branch operations.
func New(
	a *access.Access, pusher *push.Pusher, w *commit.Writer, pages pagination.MaxOffset, show present.Presenter,
	enqueue func(context.Context, branch.DeleteMergedJob) error,
) *Branches {
	return &Branches{access: a, pusher: pusher, branches: branch.New(a, pusher, w), pages: pages, show: show, enqueue: enqueue}
}

// open finds a project, requires the ability in it, and opens its repository.
func (b *Branches) open(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, git.Repo, error) {
	row, err := b.access.Project(ctx, ref, ability)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := b.pusher.Repo(row.Project)
	return row, repo, err
}
