package commits

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/git"
	"svc/store/model"
)

// CreateProjectRepositoryCommit creates a commit with several actions.
// POST /projects/{id}/repository/commits
func (c *Commits) CreateProjectRepositoryCommit(
	ctx context.Context, req gen.CreateProjectRepositoryCommitRequestObject,
) (gen.CreateProjectRepositoryCommitResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	edit, err := c.readEdit(ctx, row.Project, *req.Body)
	if err != nil {
		return nil, err
	}
	id, err := c.writer.Write(ctx, row, edit)
	if err != nil {
		return nil, err
	}
	made, stats, err := c.readCommit(ctx, row.Project, id, req.Body.Stats == nil || *req.Body.Stats)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommit201JSONResponse(c.show.CommitDetail(row.Project, made, stats)), nil
}

// readCommit reads a new commit and, if count is true, counts its changed lines.
func (c *Commits) readCommit(ctx context.Context, p model.Project, id string, count bool) (git.Commit, *git.Stats, error) {
	repo, err := c.repos.Repo(p)
	if err != nil {
		return git.Commit{}, nil, err
	}
	found, err := repo.Commit(ctx, id)
	if err != nil || !count {
		return found, nil, err
	}
	counted, err := repo.CommitStats(ctx, []string{id})
	stats := counted[id]
	return found, &stats, err
}
