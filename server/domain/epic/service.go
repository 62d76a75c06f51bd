// Package epic creates, changes and deletes the epics of groups, and assigns issues and child epics to them.
//
//	service.go  construction, and finding an epic
//	create.go   creates an epic
//	change.go   changes an epic
//	delete.go   deletes an epic
//	issue.go    assigns issues to epics
//	child.go    makes epics children of others
//	link.go     links between epics
//	note.go     notes on epics
//	award.go    emoji reactions to epics
package epic

import (
	"context"
	"strconv"
	"time"

	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Service changes epics on behalf of the caller of a request.
type Service struct {
	store     *store.Store
	access    *access.Access
	issuables *issuable.Service
}

// NewService returns the Service.
func NewService(st *store.Store, a *access.Access, issuables *issuable.Service) *Service {
	return &Service{store: st, access: a, issuables: issuables}
}

// Get returns an epic of a group by its number, if the caller can see it.
func (s *Service) Get(ctx context.Context, group model.Namespace, iid int64) (model.EpicRow, error) {
	row, err := s.store.Epics.Get(ctx, group.ID, iid, access.Reader(ctx))
	return row, apierr.OrNotFound(err)
}

// GetToChange returns an epic of any group by its ID, if the caller may change it. The error is 404 if the caller cannot
// see the epic, and 403 if the caller may not change it.
func (s *Service) GetToChange(ctx context.Context, id int64) (model.EpicRow, error) {
	row, err := s.store.Epics.GetByID(ctx, id, access.Reader(ctx))
	if err != nil {
		return row, apierr.OrNotFound(err)
	}
	_, _, err = s.access.Group(ctx, strconv.FormatInt(row.Epic.GroupID, 10), access.AdminEpic)
	return row, err
}

// target returns an epic as the target of resource events.
func target(e model.Epic) issuable.Target {
	return issuable.Target{Type: model.OnEpic, ID: e.ID, AuthorID: e.AuthorID, Confidential: e.Confidential}
}

// checkDates refuses years outside 1 to 9999.
func checkDates(start, due *time.Time) error {
	for _, d := range []struct {
		name string
		day  *time.Time
	}{{"start_date_fixed", start}, {"due_date_fixed", due}} {
		if d.day != nil && (d.day.Year() < 1 || d.day.Year() > 9999) {
			return apierr.Invalid(d.name, "is not a valid date")
		}
	}
	return nil
}

// callerID returns the user ID of the caller, who must be signed in.
func callerID(ctx context.Context) int64 { return reqctx.Of(ctx).Actor.User.ID }
