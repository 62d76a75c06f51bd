// Package labels implements the API operations on the labels of projects and groups.
//
//	service.go               construction, and the project or group of a request
//	list.go                  list labels
//	get.go                   read a label
//	create.go                create a label
//	update.go                change a label
//	delete.go                delete a label
//	by_parameter.go          the older forms, which name the label in the body or a parameter
//	subscription.go          subscriptions; also subscription_project.go and subscription_group.go
//	promote.go               turn a label of a project into a label of its group
//	unchanged.go             the response 304
package labels

import (
	"context"

	"svc/server/domain/label"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/model"
)

// Labels implements the operations on labels.
type Labels struct {
	store  *store.Store
	access *access.Access
	labels *label.Service
	pages  pagination.MaxOffset
}

// New returns the label operations.
func New(st *store.Store, a *access.Access, labels *label.Service, pages pagination.MaxOffset) *Labels {
	return &Labels{store: st, access: a, labels: labels, pages: pages}
}

// owner is the project or group of a request, after the permission check.
type owner struct {
	store.ResourceOwner
	scope store.IssuableScope
}

func (l *Labels) project(ctx context.Context, ref string, ability access.Ability) (owner, model.ProjectRow, error) {
	row, err := l.access.Project(ctx, ref, ability)
	return owner{store.OwnedByProject(row.Project), store.InProject(row, access.Reader(ctx))}, row, err
}

func (l *Labels) group(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	g, _, err := l.access.Group(ctx, ref, ability)
	return owner{store.OwnedByGroup(g), store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}}, err
}
