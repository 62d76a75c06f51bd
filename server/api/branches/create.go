package branches

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/git"
)

// CreateProjectRepositoryBranch creates a branch.
// POST /projects/{id}/repository/branches
func (b *Branches) CreateProjectRepositoryBranch(
	ctx context.Context, req gen.CreateProjectRepositoryBranchRequestObject,
) (gen.CreateProjectRepositoryBranchResponseObject, error) {
	row, repo, err := b.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	made, err := b.branches.Create(ctx, row, repo, req.Body.Branch, req.Body.Ref)
	if err != nil {
		return nil, err
	}
	shown, err := b.presentBranches(ctx, made.Project, made.Repo, []git.Ref{made.Ref})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryBranch201JSONResponse(shown[0]), nil
}
