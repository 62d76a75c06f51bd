package commits

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/git"
)

// GetProjectRepositoryCommit returns a commit.
// GET /projects/{id}/repository/commits/{sha}
func (c *Commits) GetProjectRepositoryCommit(
	ctx context.Context, req gen.GetProjectRepositoryCommitRequestObject,
) (gen.GetProjectRepositoryCommitResponseObject, error) {
	row, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	var stats *git.Stats
	if req.Params.Stats == nil || *req.Params.Stats {
		counted, err := repo.CommitStats(ctx, []string{commit.ID})
		if err != nil {
			return nil, err
		}
		of := counted[commit.ID]
		stats = &of
	}
	shown := c.show.CommitDetail(row.Project, commit, stats)
	if row.ReadsJobs() {
		last, err := c.store.Pipelines.LastOfCommit(ctx, row.Project.ID, commit.ID)
		if err != nil {
			return nil, err
		}
		c.show.CommitPipeline(&shown, row.Project, last)
	}
	return gen.GetProjectRepositoryCommit200JSONResponse(shown), nil
}
