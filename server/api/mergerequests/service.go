// Package mergerequests implements the API operations on merge requests.
//
//	service.go        construction, and finding a merge request
//	list.go           the lists of merge requests
//	deployment.go     the merge requests that a deployment brought
//	filter.go         the filters of these lists; filter_not.go excludes, filter_scope.go is about the caller
//	merge_request.go  read a merge request
//	create.go         create a merge request; create_input.go reads the body
//	update.go         change a merge request; update_input.go reads the body
//	delete.go         delete a merge request
//	reviewer.go       list the reviewers
//	participant.go    list the participants
//	context_commit.go the commits that reviewers should know
//	commit.go         the commits of a merge request
//	revision.go       reads the commits and files of a merge request or of one of its versions
//	diff.go           its changed files
//	change.go         the merge request together with its changed files
//	raw_diff.go       its diff as git prints it
//	version.go        its versions
//	issue.go          the issues that it mentions or closes
//	todo.go           create a to-do
//	subscription.go   subscribe and unsubscribe
//	time_estimate.go  set and reset the time estimate
//	spent_time.go     add and reset spent time
//	time_stats.go     read the time tracking
//	approval.go       read approvals
//	approve.go        approve and unapprove
//	merge.go          merge
//	merge_ref.go      the commit that a merge would create
//	auto_merge.go     cancel a scheduled merge
//	rebase.go         rebase
//	pipeline.go       list and run pipelines
//	not_modified.go   the response 304
package mergerequests

import (
	"context"

	"svc/server/domain/ci/environment"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// MergeRequests implements the operations on merge requests.
type MergeRequests struct {
	store     *store.Store
	access    *access.Access
	service   *mergerequest.Service
	merger    *mergerequest.Merger
	viewer    *mergerequest.Viewer
	deployed  *environment.Service
	issuables *issuable.Service
	pages     pagination.MaxOffset
	show      present.Presenter
}

// Dependencies are the dependencies of the merge request operations.
type Dependencies struct {
	Store     *store.Store
	Access    *access.Access
	Service   *mergerequest.Service
	Merger    *mergerequest.Merger
	Viewer    *mergerequest.Viewer
	Deployed  *environment.Service
	Issuables *issuable.Service
	MaxOffset pagination.MaxOffset
	Presenter present.Presenter
}

// New returns the merge request operations.
func New(d Dependencies) *MergeRequests {
	return &MergeRequests{
		store: d.Store, access: d.Access, service: d.Service, merger: d.Merger, viewer: d.Viewer, issuables: d.Issuables,
		deployed: d.Deployed, pages: d.MaxOffset, show: d.Presenter,
	}
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

// findSignedIn does the same as find, and answers 401 to anonymous callers.
func (m *MergeRequests) findSignedIn(
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

// caller returns the ID of the caller, or 0 for anonymous callers.
func caller(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}
