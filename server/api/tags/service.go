// Package tags manages the tags of repositories.
//
//	service.go  construction
//	list.go     the list of tags
//	window.go   the order and the pages of the list
//	get.go      one tag
//	create.go   create a tag
//	delete.go   delete a tag
//	present.go  tags as JSON
//	signature.go  the signature of a tag
package tags

import (
	"context"

	"svc/server/domain/repository/push"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Tags are the operations on tags.
type Tags struct {
	store  *store.Store
	access *access.Access
	pusher *push.Pusher
	tags   *tag.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the tag operations.
func New(st *store.Store, a *access.Access, pusher *push.Pusher, pages pagination.MaxOffset, show present.Presenter) *Tags {
	return &Tags{store: st, access: a, pusher: pusher, tags: tag.New(st, pusher), pages: pages, show: show}
}

// open returns a project in which the caller has the ability, and its repository.
func (t *Tags) open(ctx context.Context, ref string, ability access.Ability) (model.ProjectRow, git.Repo, error) {
	row, err := t.access.Project(ctx, ref, ability)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := t.pusher.Repo(row.Project)
	return row, repo, err
}
