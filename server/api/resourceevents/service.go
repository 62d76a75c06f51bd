// Package resourceevents implements the API operations on resource events: when the labels, the state, the milestone
// and the weight of issues and merge requests changed, and by whom.
package resourceevents

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ResourceEvents are the operations on resource events.
type ResourceEvents struct {
	store *store.Store
	notes *note.Service
	pages pagination.MaxOffset
	show  present.Presenter
}

// New returns the resource event operations.
func New(st *store.Store, notes *note.Service, pages pagination.MaxOffset, show present.Presenter) *ResourceEvents {
	return &ResourceEvents{store: st, notes: notes, pages: pages, show: show}
}

// item names an issue or merge request and a kind of its events.
type item struct {
	project string
	on      string // model.OnIssue or model.OnMergeRequest
	iid     int64
	kind    string
}

// query holds the query parameters of a list.
type query struct {
	sort       *gen.Sort
	page, size *int64
	paging     *gen.Pagination
}

// list returns one page of events.
func (r *ResourceEvents) list(
	ctx context.Context, i item, q query,
) ([]model.ResourceEventRow, pagination.Headers, error) {
	found, err := r.notes.Find(ctx, i.project, i.on, i.iid, access.ReadResourceEvent)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "ResourceEvent", q.page, q.size, q.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	descending := q.sort != nil && *q.sort == gen.SortDesc
	rows, total, err := r.store.ResourceEvents.List(ctx, found.On, i.kind, descending, window.Page)
	return rows, window.Headers(total), err
}

// get returns an event.
func (r *ResourceEvents) get(ctx context.Context, i item, id int64) (model.ResourceEventRow, error) {
	found, err := r.notes.Find(ctx, i.project, i.on, i.iid, access.ReadResourceEvent)
	if err != nil {
		return model.ResourceEventRow{}, err
	}
	row, err := r.store.ResourceEvents.Get(ctx, found.On, i.kind, id)
	return row, apierr.OrNotFound(err)
}
