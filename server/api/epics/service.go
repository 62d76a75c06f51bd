// Package epics implements the API operations on the epics of groups.
//
//	service.go  construction, and finding a group and its epic
//	list.go     list epics
//	get.go      read an epic
//	create.go   create an epic
//	update.go   change an epic
//	delete.go   delete an epic
//	issue.go    the issues of an epic
//	child.go    the child epics of an epic
//	link.go     the linked epics of an epic
//	note.go     the notes on an epic
//	discussion.go  the threads on an epic
//	event.go    when labels and the state of an epic changed
//	award.go    the emoji reactions to an epic
package epics

import (
	"context"

	"svc/gen"
	"svc/server/domain/epic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Epics implements the operations on epics.
type Epics struct {
	store  *store.Store
	access *access.Access
	epics  *epic.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the epic operations.
func New(
	st *store.Store, a *access.Access, epics *epic.Service, pages pagination.MaxOffset, show present.Presenter,
) *Epics {
	return &Epics{store: st, access: a, epics: epics, pages: pages, show: show}
}

// group finds the group of a request and requires the ability. The free tier has no epics.
func (s *Epics) group(ctx context.Context, ref string, ability access.Ability) (model.Namespace, model.Access, error) {
	g, role, err := s.access.Group(ctx, ref, ability)
	if err == nil && !s.show.Paid {
		err = apierr.TierTooLow()
	}
	return g, role, err
}

// find finds an epic that the caller can see, and requires the ability in its group.
func (s *Epics) find(
	ctx context.Context, ref string, iid int64, ability access.Ability,
) (model.Namespace, model.EpicRow, error) {
	g, _, err := s.group(ctx, ref, ability)
	if err != nil {
		return g, model.EpicRow{}, err
	}
	found, err := s.epics.Get(ctx, g, iid)
	return g, found, err
}

// reload reads an epic after a change and presents it.
func (s *Epics) reload(ctx context.Context, from string, id int64) (gen.Epic, error) {
	found, err := s.store.Epics.GetByID(ctx, id, access.Reader(ctx))
	if err != nil {
		return gen.Epic{}, err
	}
	return s.show.Epic(from, false)(found), nil
}
