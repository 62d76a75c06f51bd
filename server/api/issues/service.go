// Package issues implements the API operations on issues.
//
//	service.go        construction, finding an issue, and presenting it
//	issue.go          read, create and delete an issue
//	update.go         change an issue
//	list.go           the lists and the statistics of issues
//	filter.go         the filters of the lists
//	link.go           links between issues
//	move.go           move, clone and reorder an issue
//	follow.go         participants, subscriptions and to-dos
//	time.go           time tracking
//	merge_request.go  the merge requests of an issue
//	order.go          changes by quick actions
//	unchanged.go      the response 304
//	due_worker.go     the background job for due issues
package issues

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Issues implements the operations on issues.
type Issues struct {
	store       *store.Store
	access      *access.Access
	issuables   *issuable.Service
	events      *events.Recorder
	pages       pagination.MaxOffset
	show        present.Presenter
	merges      *mergerequest.Viewer
	noteService *note.Service
}

// Dependencies are the dependencies of the issue operations.
type Dependencies struct {
	Store         *store.Store
	Access        *access.Access
	Issuables     *issuable.Service
	Events        *events.Recorder
	Pages         pagination.MaxOffset
	Presenter     present.Presenter
	MergeRequests *mergerequest.Viewer
	Notes         *note.Service
}

// New returns the issue operations.
func New(d Dependencies) *Issues {
	return &Issues{
		store: d.Store, access: d.Access, issuables: d.Issuables, events: d.Events, pages: d.Pages, show: d.Presenter,
		merges: d.MergeRequests, noteService: d.Notes,
	}
}

// find finds an issue that the caller can see, and requires the ability in its project.
func (s *Issues) find(ctx context.Context, ref string, iid int64, ability access.Ability) (model.ProjectRow, model.IssueRow, error) {
	row, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return row, model.IssueRow{}, err
	}
	found, err := s.get(ctx, row, iid)
	return row, found, err
}

func (s *Issues) get(ctx context.Context, row model.ProjectRow, iid int64) (model.IssueRow, error) {
	found, err := s.store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return found, err
}

func (s *Issues) presenter(from string, details bool) present.IssuePresenter {
	return present.IssuePresenter{Presenter: s.show, Now: time.Now(), From: from, Details: details}
}

// presentOne presents one issue, and whether the caller is subscribed to it.
func (s *Issues) presentOne(ctx context.Context, from string, r model.IssueRow) (gen.Issue, error) {
	shown := s.presenter(from, false).Issue(r)
	follows := false
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		var err error
		if follows, err = s.store.Subscriptions.IsSubscribed(ctx, model.OnIssue, r.Issue.ID, actor.User.ID); err != nil {
			return shown, err
		}
	}
	shown.Subscribed = &follows
	return shown, nil
}

// reload reads an issue after a change and presents it.
func (s *Issues) reload(ctx context.Context, row model.ProjectRow, iid int64) (gen.Issue, error) {
	found, err := s.get(ctx, row, iid)
	if err != nil {
		return gen.Issue{}, err
	}
	return s.presentOne(ctx, row.Project.FullPath, found)
}

func (s *Issues) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return s.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

// callerID returns the user ID of the caller. The operation must require authentication.
func callerID(ctx context.Context) int64 { return reqctx.Of(ctx).Actor.User.ID }

// mayChange reports whether the caller may change an issue. Users with at least the role Reporter, the author and the
// assignees may.
func mayChange(ctx context.Context, row model.ProjectRow, i model.IssueRow) bool {
	if row.Role() >= model.Reporter || i.Issue.AuthorID == callerID(ctx) {
		return true
	}
	for _, u := range i.Assignees {
		if u.ID == callerID(ctx) {
			return true
		}
	}
	return false
}

func assignees(r model.IssueRow) []int64 {
	ids := make([]int64, len(r.Assignees))
	for i, u := range r.Assignees {
		ids[i] = u.ID
	}
	return ids
}

func day(given wire.Optional[wire.Date]) (*time.Time, error) {
	at := given.Ptr()
	if at == nil {
		return nil, nil
	}
	if at.Year() < 1 || at.Year() > 9999 {
		return nil, apierr.Invalid("due_date", "is not a valid date")
	}
	return &at.Time, nil
}
