package branches

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/server/domain/repository/branch"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectRepositoryBranch deletes a branch.
// DELETE /projects/{id}/repository/branches/{branch}
func (b *Branches) DeleteProjectRepositoryBranch(
	ctx context.Context, req gen.DeleteProjectRepositoryBranchRequestObject,
) (gen.DeleteProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := b.branches.Delete(ctx, row, repo, req.Branch, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRepositoryBranch204Response{}, nil
}

// DeleteProjectRepositoryMergedBranches deletes the merged branches in the background.
// DELETE /projects/{id}/repository/merged_branches
func (b *Branches) DeleteProjectRepositoryMergedBranches(
	ctx context.Context, req gen.DeleteProjectRepositoryMergedBranchesRequestObject,
) (gen.DeleteProjectRepositoryMergedBranchesResponseObject, error) {
	row, err := b.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	job := branch.DeleteMergedJob{ProjectID: row.Project.ID, UserID: reqctx.Of(ctx).Actor.User.ID}
	if err := b.enqueue(ctx, job); err != nil {
		return nil, err
	}
	text := "202 " + http.StatusText(http.StatusAccepted)
	return gen.DeleteProjectRepositoryMergedBranches202JSONResponse{Message: text}, nil
}
