package branches

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/server/domain/repository/branch"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/git"
)

// GetProjectRepositoryBranch returns a branch. A HEAD request only checks that the branch exists.
// GET /projects/{id}/repository/branches/{branch}
func (b *Branches) GetProjectRepositoryBranch(
	ctx context.Context, req gen.GetProjectRepositoryBranchRequestObject,
) (gen.GetProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	ref, err := branch.Find(repo, req.Branch)
	if err != nil {
		return nil, err
	}
	if reqctx.Of(ctx).Method == http.MethodHead {
		return gen.GetProjectRepositoryBranch204Response{}, nil
	}
	shown, err := b.presentBranches(ctx, row, repo, []git.Ref{ref})
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryBranch200JSONResponse(shown[0]), nil
}
