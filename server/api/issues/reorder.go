package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// ReorderProjectIssue moves an issue after or before another issue.
// PUT /projects/{id}/issues/{issue_iid}/reorder
func (s *Issues) ReorderProjectIssue(
	ctx context.Context, req gen.ReorderProjectIssueRequestObject,
) (gen.ReorderProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	if req.Body.MoveAfterID == nil && req.Body.MoveBeforeID == nil {
		return nil, apierr.BadParameter(
			"move_after_id, move_before_id are missing, at least one parameter must be provided",
		)
	}
	err = s.store.Issues.Reorder(ctx, row.Project.ID, found.Issue.ID, req.Body.MoveAfterID, req.Body.MoveBeforeID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	shown, err := s.reload(ctx, row, found.Issue.IID)
	return gen.ReorderProjectIssue200JSONResponse(shown), err
}
