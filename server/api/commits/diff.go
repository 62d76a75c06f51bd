package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
)

// ListProjectRepositoryCommitDiff lists the changes of a commit, file by file.
// GET /projects/{id}/repository/commits/{sha}/diff
func (c *Commits) ListProjectRepositoryCommitDiff(
	ctx context.Context, req gen.ListProjectRepositoryCommitDiffRequestObject,
) (gen.ListProjectRepositoryCommitDiffResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "Diff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, count, err := repo.CommitDiff(ctx, commit, window.Offset, window.Limit)
	if err != nil {
		return nil, err
	}
	total := pagination.TotalOf(window, count)
	return gen.ListProjectRepositoryCommitDiff200JSONResponse{
		Body:    present.All(rows, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) }),
		Headers: gen.ListProjectRepositoryCommitDiff200ResponseHeaders(window.Headers(total)),
	}, nil
}
