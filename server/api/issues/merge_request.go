package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
)

// ListProjectIssueRelatedMergeRequests lists the merge requests that mention an issue.
// GET /projects/{id}/issues/{issue_iid}/related_merge_requests
func (s *Issues) ListProjectIssueRelatedMergeRequests(
	ctx context.Context, req gen.ListProjectIssueRelatedMergeRequestsRequestObject,
) (gen.ListProjectIssueRelatedMergeRequestsResponseObject, error) {
	q := gen.ListProjectIssueClosedByParams(req.Params)
	rows, headers, err := s.mergeRequests(ctx, req.ID, req.IssueIid, false, q)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueRelatedMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueRelatedMergeRequests200ResponseHeaders(headers),
	}, nil
}

// ListProjectIssueClosedBy lists the merge requests that close an issue.
// GET /projects/{id}/issues/{issue_iid}/closed_by
func (s *Issues) ListProjectIssueClosedBy(
	ctx context.Context, req gen.ListProjectIssueClosedByRequestObject,
) (gen.ListProjectIssueClosedByResponseObject, error) {
	rows, headers, err := s.mergeRequests(ctx, req.ID, req.IssueIid, true, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueClosedBy200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueClosedBy200ResponseHeaders(headers),
	}, nil
}

func (s *Issues) mergeRequests(
	ctx context.Context, ref string, iid int64, closes bool, q gen.ListProjectIssueClosedByParams,
) ([]gen.MergeRequest, pagination.Headers, error) {
	row, found, err := s.find(ctx, ref, iid, access.ReadIssue)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "MergeRequest", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.MergeRequests.ListByIssue(ctx, found.Issue.ID, closes, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	details, err := s.merges.Details(ctx, rows...)
	show := s.show.MergeRequests(present.MergeRequestDetails(details), row.Project.FullPath, clock.Now(ctx))
	return present.All(rows, show.MergeRequest), window.Headers(total), err
}
