package commitwrites

import (
	"context"
	"errors"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// CherryPickProjectRepositoryCommit applies a commit to a branch.
// POST /projects/{id}/repository/commits/{sha}/cherry_pick
func (c *CommitWrites) CherryPickProjectRepositoryCommit(
	ctx context.Context, req gen.CherryPickProjectRepositoryCommitRequestObject,
) (gen.CherryPickProjectRepositoryCommitResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := c.pick(ctx, row, req.Sha, commit.Pick{
		Branch: b.Branch, Message: wire.Value(b.Message), DryRun: b.DryRun != nil && *b.DryRun,
	})
	if err != nil {
		return nil, err
	}
	if made == nil {
		return gen.CherryPickProjectRepositoryCommit200JSONResponse{DryRun: gen.DryRunDryRunSuccess}, nil
	}
	return gen.CherryPickProjectRepositoryCommit201JSONResponse(c.show.Commit(row.Project, *made)), nil
}

// RevertProjectRepositoryCommit reverts a commit on a branch.
// POST /projects/{id}/repository/commits/{sha}/revert
func (c *CommitWrites) RevertProjectRepositoryCommit(
	ctx context.Context, req gen.RevertProjectRepositoryCommitRequestObject,
) (gen.RevertProjectRepositoryCommitResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := c.pick(ctx, row, req.Sha, commit.Pick{
		Branch: b.Branch, Message: wire.Value(b.Message), DryRun: b.DryRun != nil && *b.DryRun, Undo: true,
	})
	if err != nil {
		return nil, err
	}
	if made == nil {
		return gen.RevertProjectRepositoryCommit200JSONResponse{DryRun: gen.DryRunDryRunSuccess}, nil
	}
	return gen.RevertProjectRepositoryCommit201JSONResponse(c.show.Commit(row.Project, *made)), nil
}

// pick applies the commit that the caller names, and returns the new commit. It returns nil after a dry run.
func (c *CommitWrites) pick(ctx context.Context, row model.ProjectRow, rev string, p commit.Pick) (*git.Commit, error) {
	repo, err := c.writer.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	id, err := repo.Resolve(ctx, rev)
	if errors.Is(err, git.ErrNotFound) {
		return nil, apierr.NotFound("Commit")
	}
	if err != nil {
		return nil, err
	}
	if p.Commit, err = repo.Commit(ctx, id); err != nil {
		return nil, err
	}
	made, err := c.writer.Apply(ctx, row, p)
	if err != nil || made == "" {
		return nil, err
	}
	found, err := repo.Commit(ctx, made)
	return &found, err
}
