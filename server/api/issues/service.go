// Package issues implements the API operations on issues.
//
//	service.go        construction, and finding an issue
//	present.go        presents an issue
//	get.go            read an issue
//	create.go         create an issue
//	update.go         change an issue
//	delete.go         delete an issue
//	list.go           the lists of issues
//	statistics.go     the numbers of issues
//	filter.go         the filters of the lists and the statistics
//	copy.go           move and clone an issue
//	reorder.go        change the position of an issue
//	link.go           read links between issues
//	link_change.go    link issues and remove links
//	participants.go   the participants
//	subscription.go   subscriptions
//	todo.go           to-dos
//	time.go           change the time estimate and the time spent
//	time_stats.go     read them
//	merge_request.go  the merge requests of an issue
//	unchanged.go      the response 304
package issues

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Issues implements the operations on issues.
type Issues struct {
	store     *store.Store
	access    *access.Access
	issues    *issue.Service
	issuables *issuable.Service
	pages     pagination.MaxOffset
	show      present.Presenter
	merges    *mergerequest.Viewer
}

// Dependencies are the dependencies of the issue operations.
type Dependencies struct {
	Store         *store.Store
	Access        *access.Access
	Issues        *issue.Service
	Issuables     *issuable.Service
	Pages         pagination.MaxOffset
	Presenter     present.Presenter
	MergeRequests *mergerequest.Viewer
}

// New returns the issue operations.
func New(d Dependencies) *Issues {
	return &Issues{
		store: d.Store, access: d.Access, issues: d.Issues, issuables: d.Issuables, pages: d.Pages, show: d.Presenter,
		merges: d.MergeRequests,
	}
}

// find finds an issue that the caller can see, and requires the ability in its project.
func (s *Issues) find(
	ctx context.Context, ref string, iid int64, ability access.Ability,
) (model.ProjectRow, model.IssueRow, error) {
	row, err := s.access.Project(ctx, ref, ability)
	if err != nil {
		return row, model.IssueRow{}, err
	}
	found, err := s.issues.Get(ctx, row, iid)
	return row, found, err
}

// findID finds the id of an issue that the caller can read.
func (s *Issues) findID(ctx context.Context, ref string, iid int64) (model.ProjectRow, int64, error) {
	row, err := s.access.Project(ctx, ref, access.ReadIssue)
	if err != nil {
		return row, 0, err
	}
	id, err := s.issues.FindID(ctx, row, iid)
	return row, id, err
}

// callerID returns the user ID of the caller. The operation must require authentication.
func callerID(ctx context.Context) int64 { return reqctx.Of(ctx).Actor.User.ID }
