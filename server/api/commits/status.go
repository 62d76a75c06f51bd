package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectRepositoryCommitStatuses lists the statuses that were reported for a commit, and the jobs of its pipelines.
// GET /projects/{id}/repository/commits/{sha}/statuses
func (c *Commits) ListProjectRepositoryCommitStatuses(
	ctx context.Context, req gen.ListProjectRepositoryCommitStatusesRequestObject,
) (gen.ListProjectRepositoryCommitStatusesResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "CommitStatus", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.CommitStatusFilter{
		Ref:  wire.Value(req.Params.Ref),
		Name: wire.Value(req.Params.Name),
		Jobs: row.ReadsJobs(),
		All:  wire.Value(req.Params.All),
		Desc: req.Params.Sort != nil && *req.Params.Sort == gen.SortDesc,
	}
	rows, total, err := c.store.CommitStatuses.List(ctx, row.Project.ID, commit.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitStatuses200JSONResponse{
		Body:    present.All(rows, c.show.CommitStatusRow(row.Project, commit.ID)),
		Headers: gen.ListProjectRepositoryCommitStatuses200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectStatus sets the status of a commit.
// POST /projects/{id}/statuses/{sha}
func (c *Commits) CreateProjectStatus(
	ctx context.Context, req gen.CreateProjectStatusRequestObject,
) (gen.CreateProjectStatusResponseObject, error) {
	row, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.PushCode)
	if err != nil {
		return nil, err
	}
	status, err := c.statuses.Set(ctx, row.Project, repo, commit.ID, statusFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectStatus201JSONResponse(c.show.CommitStatus(status)), nil
}

// statusFrom reads a status from the request.
func statusFrom(b gen.CommitStatusCreate) model.CommitStatus {
	s := model.CommitStatus{
		Status: string(b.State), Ref: wire.Value(b.Ref), Name: wire.Value(b.Name), TargetURL: b.TargetURL.Ptr(),
		Description: b.Description.Ptr(), Coverage: b.Coverage.Ptr(),
	}
	if s.Name == "" {
		s.Name = wire.Value(b.Context)
	}
	return s
}
