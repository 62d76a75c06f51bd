package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectIssue deletes an issue.
// DELETE /projects/{id}/issues/{issue_iid}
func (s *Issues) DeleteProjectIssue(
	ctx context.Context, req gen.DeleteProjectIssueRequestObject,
) (gen.DeleteProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.DestroyIssue)
	if err != nil {
		return nil, err
	}
	err = s.issues.Delete(ctx, row, found.Issue, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssue204Response{}, nil
}
