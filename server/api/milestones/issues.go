package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
)

// ListProjectMilestoneIssues lists the issues of a milestone.
// GET /projects/{id}/milestones/{milestone_id}/issues
func (m *Milestones) ListProjectMilestoneIssues(
	ctx context.Context, req gen.ListProjectMilestoneIssuesRequestObject,
) (gen.ListProjectMilestoneIssuesResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err == nil && !row.ReadsIssues() { // a project without issues can have milestones, for merge requests
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, in, req.MilestoneID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestoneIssues200JSONResponse{
		Body: rows, Headers: gen.ListProjectMilestoneIssues200ResponseHeaders(headers),
	}, nil
}

// ListGroupMilestoneIssues lists the issues of a milestone.
// GET /groups/{id}/milestones/{milestone_id}/issues
func (m *Milestones) ListGroupMilestoneIssues(
	ctx context.Context, req gen.ListGroupMilestoneIssuesRequestObject,
) (gen.ListGroupMilestoneIssuesResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, in, req.MilestoneID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestoneIssues200JSONResponse{
		Body: rows, Headers: gen.ListGroupMilestoneIssues200ResponseHeaders(headers),
	}, nil
}

// issues returns one page of the issues of a milestone.
func (m *Milestones) issues(
	ctx context.Context, in place, id int64, number, size *int64, paging *gen.Pagination,
) ([]gen.Issue, pagination.Headers, error) {
	if _, err := m.milestones.Get(ctx, in.Owner, id); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Issue", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.Issues.List(ctx, in.scope, store.IssueFilter{
		IssuableFilter: store.IssuableFilter{MilestoneID: &id, OrderBy: "relative_position", Asc: true},
	}, window.Page)
	show := present.IssuePresenter{Presenter: m.show, Now: clock.Now(ctx), From: in.path}
	return present.All(rows, show.Issue), window.Headers(total), err
}
