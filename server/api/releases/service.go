// Package releases manages the releases of projects, and redirects to their files.
//
//	service.go   construction
//	list.go      the lists of releases of a project and of a group
//	get.go       one release
//	create.go    create a release
//	update.go    change a release
//	delete.go    delete a release
//	links.go     the links of a release
//	redirect.go  the latest release, and the files of a release
//	present.go   releases as JSON
package releases

import (
	"context"

	"svc/server/domain/release"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Releases are the operations on releases.
type Releases struct {
	store    *store.Store
	access   *access.Access
	pusher   *push.Pusher
	releases *release.Service
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the release operations.
func New(
	st *store.Store, a *access.Access, pusher *push.Pusher, releases *release.Service, pages pagination.MaxOffset,
	show present.Presenter,
) *Releases {
	return &Releases{store: st, access: a, pusher: pusher, releases: releases, pages: pages, show: show}
}

// open returns a project in which the caller may change releases, and its repository.
func (r *Releases) open(ctx context.Context, ref string) (model.ProjectRow, git.Repo, error) {
	row, err := r.access.Project(ctx, ref, access.AdminRelease)
	if err != nil {
		return row, git.Repo{}, err
	}
	repo, err := r.pusher.Repo(row.Project)
	return row, repo, err
}
