// Package resourcegroups manages resource groups, which only one job at a time may use.
package resourcegroups

import (
	"context"

	"svc/server/domain/ci/engine"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ResourceGroups are the operations on resource groups.
type ResourceGroups struct {
	store  *store.Store
	access *access.Access
	engine *engine.Engine
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the resource group operations.
func New(
	st *store.Store, a *access.Access, e *engine.Engine, pages pagination.MaxOffset, show present.Presenter,
) *ResourceGroups {
	return &ResourceGroups{store: st, access: a, engine: e, pages: pages, show: show}
}

// find returns a resource group of a project in which the caller has the ability.
func (r *ResourceGroups) find(
	ctx context.Context, project, key string, ability access.Ability,
) (model.Project, model.ResourceGroup, error) {
	row, err := r.access.Project(ctx, project, ability)
	if err != nil {
		return row.Project, model.ResourceGroup{}, err
	}
	group, err := r.store.ResourceGroups.Get(ctx, row.Project.ID, key)
	return row.Project, group, apierr.OrNotFound(err)
}
