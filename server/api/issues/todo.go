package issues

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
)

// CreateProjectIssueTodo creates a to-do for the caller about an issue.
// POST /projects/{id}/issues/{issue_iid}/todo
func (s *Issues) CreateProjectIssueTodo(
	ctx context.Context, req gen.CreateProjectIssueTodoRequestObject,
) (gen.CreateProjectIssueTodoResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.FollowIssue)
	if err != nil {
		return nil, err
	}
	target := issuable.IssueTarget(row.Project, found.Issue, nil)
	made, fresh, err := s.issuables.AddOwnTodo(ctx, target, *access.Reader(ctx))
	if err != nil || !fresh {
		return unchanged{}, err
	}
	return gen.CreateProjectIssueTodo201JSONResponse(s.presenter(ctx, "", false).Todo(made)), nil
}
