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
	return gen.GetProjectRepositoryCommit200JSONResponse(c.show.CommitDetail(row.Project, commit, stats)), nil
}
