package issues

import (
	"context"

	"svc/gen"
	"svc/server/domain/issue"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectIssueLinks lists the linked issues of an issue.
// GET /projects/{id}/issues/{issue_iid}/links
func (s *Issues) ListProjectIssueLinks(
	ctx context.Context, req gen.ListProjectIssueLinksRequestObject,
) (gen.ListProjectIssueLinksResponseObject, error) {
	row, id, err := s.findID(ctx, req.ID, req.IssueIid)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.IssueLinks.List(ctx, id, access.Reader(ctx), issue.MaxLinks)
	if err != nil {
		return nil, err
	}
	show := s.presenter(ctx, row.Project.FullPath, false)
	return gen.ListProjectIssueLinks200JSONResponse(present.All(rows, show.LinkedIssue)), nil
}

// GetProjectIssueLink returns a link of an issue.
// GET /projects/{id}/issues/{issue_iid}/links/{issue_link_id}
func (s *Issues) GetProjectIssueLink(
	ctx context.Context, req gen.GetProjectIssueLinkRequestObject,
) (gen.GetProjectIssueLinkResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	kind, other, err := s.linkOf(ctx, found, req.IssueLinkID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueLink200JSONResponse(s.linked(ctx, row, req.IssueLinkID, kind, found, other)), nil
}

// linkOf finds a link of an issue and the issue at its other end, which the caller must be able to see.
func (s *Issues) linkOf(ctx context.Context, found model.IssueRow, id int64) (string, model.IssueRow, error) {
	link, err := s.store.IssueLinks.Get(ctx, found.Issue.ID, id)
	if err == nil {
		kind := link.LinkType
		if kind == model.Blocks && link.TargetID == found.Issue.ID {
			kind = model.IsBlockedBy
		}
		var other model.IssueRow
		otherID := link.SourceID + link.TargetID - found.Issue.ID
		if other, err = s.store.Issues.GetByID(ctx, otherID, access.Reader(ctx)); err == nil {
			return kind, other, nil
		}
	}
	return "", model.IssueRow{}, apierr.OrNotFound(err)
}

func (s *Issues) linked(
	ctx context.Context, row model.ProjectRow, id int64, kind string, source, target model.IssueRow,
) gen.IssueLink {
	show := s.presenter(ctx, row.Project.FullPath, false)
	return gen.IssueLink{
		ID: id, SourceIssue: show.Issue(source), TargetIssue: show.Issue(target), LinkType: gen.LinkType(kind),
	}
}
