// Package merges implements the API operations that approve, merge and rebase merge requests, and run their pipelines.
package merges

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Merges implements the operations that approve, merge and rebase merge requests.
type Merges struct {
	store  *store.Store
	access *access.Access
	merger *mergerequest.Merger
	show   *mergerequest.Viewer
	events *events.Recorder
	pages  pagination.MaxOffset
}

// New returns the merge operations.
func New(
	st *store.Store, a *access.Access, m *mergerequest.Merger, show *mergerequest.Viewer, rec *events.Recorder,
	pages pagination.MaxOffset,
) *Merges {
	return &Merges{store: st, access: a, merger: m, show: show, events: rec, pages: pages}
}

// find finds a merge request of a project and requires the ability in that project.
func (m *Merges) find(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.ProjectRow, model.MergeRequest, error) {
	row, err := m.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.MergeRequest{}, err
	}
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	return row, found, err
}

// findSignedIn does the same as find, and answers 401 to anonymous callers.
func (m *Merges) findSignedIn(
	ctx context.Context, project string, iid int64, ability access.Ability,
) (model.ProjectRow, model.MergeRequest, model.User, error) {
	row, found, err := m.find(ctx, project, iid, ability)
	if err != nil {
		return row, found, model.User{}, err
	}
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return row, found, model.User{}, apierr.Unauthorized()
	}
	user, err := m.store.Users.Get(ctx, actor.User.ID)
	return row, found, user, err
}

// apiError turns the refusal of a merge into an API error.
func apiError(err error) error {
	var no *mergerequest.RefusedError
	if !errors.As(err, &no) {
		return err
	}
	switch no.Kind {
	case mergerequest.NotAllowed:
		return apierr.Unauthorized()
	case mergerequest.NotNow:
		return &apierr.Error{Status: http.StatusMethodNotAllowed, Body: apierr.Body{Message: "405 Method Not Allowed"}}
	case mergerequest.HeadMoved, mergerequest.TargetMoved:
		return apierr.Conflict(no.Text)
	}
	return apierr.Unprocessable(no.Text)
}

// window reads the pagination parameters.
func (m *Merges) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if paging != nil && *paging == gen.PaginationKeyset {
		return pagination.Window{}, apierr.Pagination("Keyset pagination is not yet available for this type of request")
	}
	return m.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}
