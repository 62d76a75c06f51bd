package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// GetProjectRepositoryCommitSequence counts a commit and its ancestors.
// GET /projects/{id}/repository/commits/{sha}/sequence
func (c *Commits) GetProjectRepositoryCommitSequence(
	ctx context.Context, req gen.GetProjectRepositoryCommitSequenceRequestObject,
) (gen.GetProjectRepositoryCommitSequenceResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	count, err := repo.Sequence(ctx, commit.ID, wire.Value(req.Params.FirstParent))
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitSequence200JSONResponse{Count: count}, nil
}
