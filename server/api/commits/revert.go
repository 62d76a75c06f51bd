package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
)

// RevertProjectRepositoryCommit reverts a commit on a branch.
// POST /projects/{id}/repository/commits/{sha}/revert
func (c *Commits) RevertProjectRepositoryCommit(
	ctx context.Context, req gen.RevertProjectRepositoryCommitRequestObject,
) (gen.RevertProjectRepositoryCommitResponseObject, error) {
	row, repo, found, err := c.find(ctx, req.ID, req.Sha, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := c.pick(ctx, row, repo, commit.Pick{
		Commit: found, Branch: b.Branch, Message: wire.Value(b.Message), DryRun: b.DryRun != nil && *b.DryRun, Undo: true,
	})
	if err != nil {
		return nil, err
	}
	if made == nil {
		return gen.RevertProjectRepositoryCommit200JSONResponse{DryRun: gen.DryRunDryRunSuccess}, nil
	}
	return gen.RevertProjectRepositoryCommit201JSONResponse(c.show.Commit(row.Project, *made)), nil
}
