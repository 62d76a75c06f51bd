// Package packages lists, shows and deletes packages, and manages the rules that protect them. Package managers publish
// and install packages with their own protocols, which server/transport/packagehttp speaks.
package packages

import (
	"context"

	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Packages has the operations about packages.
type Packages struct {
	store    *store.Store
	access   *access.Access
	packages *packages.Service
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the operations.
func New(
	st *store.Store, a *access.Access, service *packages.Service, pages pagination.MaxOffset, show present.Presenter,
) *Packages {
	return &Packages{store: st, access: a, packages: service, pages: pages, show: show}
}

// find returns a project in which the caller has an ability, and one of its packages.
func (p *Packages) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.PackageRow, error) {
	row, err := p.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.PackageRow{}, err
	}
	found, err := p.packages.Get(ctx, row.Project.ID, id)
	return row, found, apierr.OrNotFound(err)
}

// presenter returns the presenter for the caller of a project.
func (p *Packages) presenter(ctx context.Context, row model.ProjectRow) present.PackagePresenter {
	return present.PackagePresenter{
		Presenter: p.show, Deletes: row.Role() >= model.Maintainer && !row.Project.Archived,
		Pipelines: row.ReadsJobs() && access.SeesProject(row, access.Reader(ctx)), // packages may be public in a private project
	}
}
