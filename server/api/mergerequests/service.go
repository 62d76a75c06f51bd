// Package mergerequests implements the API operations on merge requests. Package merges has the operations that
// approve, merge and rebase them.
//
//	service.go       construction, and finding a merge request
//	mergerequest.go  read, delete and subscribe to a merge request
//	create.go        create a merge request
//	update.go        change a merge request
//	list.go          the lists and their filters
//	part.go          commits, diffs, versions, participants and reviewers
//	issue.go         the issues of a merge request, and to-dos
//	time.go          time tracking
//	order.go         changes by quick actions
//	answer.go        the responses that are not JSON
package mergerequests

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// MergeRequests implements the operations on merge requests.
type MergeRequests struct {
	store     *store.Store
	access    *access.Access
	merger    *mergerequest.Merger
	show      *mergerequest.Viewer
	issuables *issuable.Service
	events    *events.Recorder
	pages     pagination.MaxOffset
	notes     *note.Service
}

// New returns the merge request operations.
func New(
	st *store.Store, a *access.Access, m *mergerequest.Merger, show *mergerequest.Viewer, desk *issuable.Service,
	rec *events.Recorder, pages pagination.MaxOffset, t *note.Service,
) *MergeRequests {
	return &MergeRequests{store: st, access: a, merger: m, show: show, issuables: desk, events: rec, pages: pages, notes: t}
}

// find finds a merge request of a project and requires the ability in that project.
func (m *MergeRequests) find(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.ProjectRow, model.MergeRequest, error) {
	row, err := m.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.MergeRequest{}, err
	}
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	return row, found, err
}

// window reads the pagination parameters.
func (m *MergeRequests) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if paging != nil && *paging == gen.PaginationKeyset {
		return pagination.Window{}, apierr.Pagination("Keyset pagination is not yet available for this type of request")
	}
	return m.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

func caller(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
