package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/store/git"
	"svc/store/model"
)

// CherryPickProjectRepositoryCommit applies a commit to a branch.
// POST /projects/{id}/repository/commits/{sha}/cherry_pick
func (c *Commits) CherryPickProjectRepositoryCommit(
	ctx context.Context, req gen.CherryPickProjectRepositoryCommitRequestObject,
) (gen.CherryPickProjectRepositoryCommitResponseObject, error) {
	row, repo, found, err := c.find(ctx, req.ID, req.Sha, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := c.pick(ctx, row, repo, commit.Pick{
		Commit: found, Branch: b.Branch, Message: wire.Value(b.Message), DryRun: b.DryRun != nil && *b.DryRun,
	})
	if err != nil {
		return nil, err
	}
	if made == nil {
		return gen.CherryPickProjectRepositoryCommit200JSONResponse{DryRun: gen.DryRunDryRunSuccess}, nil
	}
	return gen.CherryPickProjectRepositoryCommit201JSONResponse(c.show.Commit(row.Project, *made)), nil
}

// pick applies or reverts a commit on a branch, and returns the new commit. It returns nil after a dry run.
func (c *Commits) pick(ctx context.Context, row model.ProjectRow, repo git.Repo, p commit.Pick) (*git.Commit, error) {
	made, err := c.writer.Apply(ctx, row, p)
	if err != nil || made == "" {
		return nil, err
	}
	found, err := repo.Commit(ctx, made)
	return &found, err
}
