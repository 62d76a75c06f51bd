// Package mergerequests is branches that somebody asks to be merged.
package mergerequests

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/events"
	"svc/server/issuable"
	"svc/server/merge"
	"svc/server/mergeview"
	"svc/server/page"
	"svc/server/request"
	"svc/server/talk"
	"svc/store"
	"svc/store/model"
)

// MergeRequests are the operations on merge requests.
type MergeRequests struct {
	store  *store.Store
	access *access.Access
	merger *merge.Merger
	show   *mergeview.View
	desk   *issuable.Desk
	events *events.Recorder
	pages  page.MaxOffset
	talk   *talk.Talk
}

// New takes how projects are judged, what follows from what happens to merge requests, how they are shown,
// and who carries out commands.
func New(st *store.Store, a *access.Access, m *merge.Merger, show *mergeview.View, desk *issuable.Desk, rec *events.Recorder, pages page.MaxOffset, t *talk.Talk) *MergeRequests {
	return &MergeRequests{store: st, access: a, merger: m, show: show, desk: desk, events: rec, pages: pages, talk: t}
}

// find finds a merge request of a project that the caller has the ability in.
func (m *MergeRequests) find(ctx context.Context, project string, iid int64, ability access.Ability) (model.ProjectRow, model.MergeRequest, error) {
	row, err := m.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.MergeRequest{}, err
	}
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	return row, found, err
}

// window reads which page is asked for.
func (m *MergeRequests) window(ctx context.Context, name string, number, size *int64, pagination *gen.Pagination) (page.Window, error) {
	if pagination != nil && *pagination == gen.PaginationKeyset {
		return page.Window{}, apierr.Pagination("Keyset pagination is not yet available for this type of request")
	}
	return m.pages.Offset(ctx, page.Kind{Name: name}, number, size)
}

func caller(ctx context.Context) int64 {
	if actor := request.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}

func text(given *string) string {
	if given == nil {
		return ""
	}
	return *given
}

func yes(given *bool) bool { return given != nil && *given }

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
