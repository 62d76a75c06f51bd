package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListProjectMergeRequestClosesIssues lists the issues that a merge request closes when it is merged.
// GET /projects/{id}/merge_requests/{merge_request_iid}/closes_issues
func (m *MergeRequests) ListProjectMergeRequestClosesIssues(
	ctx context.Context, req gen.ListProjectMergeRequestClosesIssuesRequestObject,
) (gen.ListProjectMergeRequestClosesIssuesResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Issue", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, row, found, mergerequest.ClosesIssues(row.Project, found), window)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestClosesIssues200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestClosesIssues200ResponseHeaders(headers),
	}, nil
}

// ListProjectMergeRequestRelatedIssues lists the issues that a merge request mentions.
// GET /projects/{id}/merge_requests/{merge_request_iid}/related_issues
func (m *MergeRequests) ListProjectMergeRequestRelatedIssues(
	ctx context.Context, req gen.ListProjectMergeRequestRelatedIssuesRequestObject,
) (gen.ListProjectMergeRequestRelatedIssuesResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Issue", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, row, found, store.ReferencedAll, window)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestRelatedIssues200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestRelatedIssues200ResponseHeaders(headers),
	}, nil
}

// issues reads and presents the issues that a merge request mentions.
func (m *MergeRequests) issues(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, which store.Referenced, window pagination.Window,
) ([]gen.Issue, pagination.Headers, error) {
	rows, total, err := m.store.IssueReferences.List(ctx, mr.ID, which, access.Reader(ctx), window.Page)
	show := present.IssuePresenter{Presenter: m.show, Now: clock.Now(ctx), From: row.Project.FullPath}
	return present.All(rows, show.Issue), window.Headers(total), err
}
