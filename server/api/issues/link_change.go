package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// CreateProjectIssueLink links two issues.
// POST /projects/{id}/issues/{issue_iid}/links
func (s *Issues) CreateProjectIssueLink(
	ctx context.Context, req gen.CreateProjectIssueLinkRequestObject,
) (gen.CreateProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	_, other, err := s.find(ctx, req.Body.TargetProjectID, req.Body.TargetIssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	kind := model.RelatesTo
	if req.Body.LinkType != nil {
		kind = string(*req.Body.LinkType)
	}
	link, err := s.issues.Link(ctx, row, found, other, kind)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueLink201JSONResponse(s.linked(ctx, row, link.ID, kind, found, other)), nil
}

// DeleteProjectIssueLink removes a link of an issue.
// DELETE /projects/{id}/issues/{issue_iid}/links/{issue_link_id}
func (s *Issues) DeleteProjectIssueLink(
	ctx context.Context, req gen.DeleteProjectIssueLinkRequestObject,
) (gen.DeleteProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	kind, other, err := s.linkOf(ctx, found, req.IssueLinkID)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := s.issues.Unlink(ctx, row, found, other, req.IssueLinkID, unmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueLink200JSONResponse(s.linked(ctx, row, req.IssueLinkID, kind, found, other)), nil
}
