package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// GetIssue returns an issue by its ID.
// GET /issues/{id}
func (s *Issues) GetIssue(ctx context.Context, req gen.GetIssueRequestObject) (gen.GetIssueResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadAnyIssue); err != nil {
		return nil, err
	}
	found, err := s.store.Issues.GetByID(ctx, req.ID, access.Reader(ctx))
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetIssue200JSONResponse(s.presentOne(ctx, "", found)), nil
}

// GetProjectIssue returns an issue.
// GET /projects/{id}/issues/{issue_iid}
func (s *Issues) GetProjectIssue(
	ctx context.Context, req gen.GetProjectIssueRequestObject,
) (gen.GetProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssue200JSONResponse(s.presentOne(ctx, row.Project.FullPath, found)), nil
}
