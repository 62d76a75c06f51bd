package commits

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// ListProjectRepositoryCommitMergeRequests lists the merge requests that introduced a commit. The list is empty for
// callers who may not read merge requests.
// GET /projects/{id}/repository/commits/{sha}/merge_requests
func (c *Commits) ListProjectRepositoryCommitMergeRequests(
	ctx context.Context, req gen.ListProjectRepositoryCommitMergeRequestsRequestObject,
) (gen.ListProjectRepositoryCommitMergeRequestsResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "MergeRequest", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	var rows []model.MergeRequestRow
	var total store.Total
	if row.ReadsMergeRequests() {
		if rows, total, err = c.store.MergeRequests.ListByCommit(ctx, row.Project.ID, commit.ID, window.Page); err != nil {
			return nil, err
		}
	} else {
		_, total = pagination.PageOf(window, rows)
	}
	details, err := c.merges.Details(ctx, rows...)
	if err != nil {
		return nil, err
	}
	show := c.show.MergeRequests(present.MergeRequestDetails(details), row.Project.FullPath, clock.Now(ctx))
	return gen.ListProjectRepositoryCommitMergeRequests200JSONResponse{
		Body:    present.All(rows, show.MergeRequest),
		Headers: gen.ListProjectRepositoryCommitMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}
