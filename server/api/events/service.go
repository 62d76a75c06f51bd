// Package events implements the API operations that list the activity of users.
package events

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Events implements the operations on events.
type Events struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the event operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Events {
	return &Events{store: st, access: a, pages: pages, show: show}
}

// query holds the parameters that all lists share.
type query struct {
	action *gen.EventAction
	target *gen.EventTargetFilter
	before *wire.Date
	after  *wire.Date
	sort   *gen.Sort
	paging *gen.Pagination
	number *int64
	size   *int64
}

// targets maps the target types of the API to the target types of events.
var targets = map[gen.EventTargetFilter]string{
	"issue": model.OnIssue, "milestone": model.OnMilestone, "merge_request": model.OnMergeRequest, "note": model.OnNote,
	"project": "Project", "snippet": model.OnSnippet, "user": "User",
	"wiki_page": model.OnWikiPage,
}

func (q query) narrow(f store.EventFilter) store.EventFilter {
	if q.action != nil {
		f.Action = string(*q.action)
	}
	if q.target != nil {
		f.TargetType = targets[*q.target]
	}
	if q.before != nil {
		f.Until = startOfDay(*q.before, 0)
	}
	if q.after != nil {
		f.From = startOfDay(*q.after, 1) // after excludes the day itself
	}
	f.Asc = q.sort != nil && *q.sort == gen.SortAsc
	return f
}

// startOfDay returns the start of a day, or of a day that many days later.
func startOfDay(d wire.Date, later int) *time.Time {
	t := time.Date(d.Year(), d.Month(), d.Day()+later, 0, 0, 0, 0, time.UTC)
	return &t
}

// list reads the requested page. It calls which only after it has accepted the pagination parameters, because which can
// query the database.
func (e *Events) list(ctx context.Context, q query, which func() (store.EventFilter, error)) ([]gen.Event, pagination.Headers, error) {
	if err := pagination.NoKeyset(q.paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := e.pages.Offset(ctx, pagination.Kind{Name: "Event"}, q.number, q.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	filter, err := which()
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := e.store.Events.List(ctx, q.narrow(filter), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, e.show.Event), window.Headers(total), nil
}
