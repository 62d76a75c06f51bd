package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// CreateProjectMergeRequestTodo creates a to-do for the caller about a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/todo
func (m *MergeRequests) CreateProjectMergeRequestTodo(
	ctx context.Context, req gen.CreateProjectMergeRequestTodoRequestObject,
) (gen.CreateProjectMergeRequestTodoResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.FollowMergeRequest)
	if err != nil {
		return nil, err
	}
	made, fresh, err := m.issuables.AddOwnTodo(ctx, issuable.MergeRequestTarget(row.Project, found), *access.Reader(ctx))
	if err != nil || !fresh {
		return notModified{}, err
	}
	show := present.IssuePresenter{Presenter: m.show, Now: clock.Now(ctx)}
	return gen.CreateProjectMergeRequestTodo201JSONResponse(show.Todo(made)), nil
}
