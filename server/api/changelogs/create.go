package changelogs

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/changelog/section"
	"svc/server/platform/access"
	"svc/store/clock"
)

// CreateProjectRepositoryChangelog generates a section of the changelog and commits it.
// POST /projects/{id}/repository/changelog
func (c *Changelogs) CreateProjectRepositoryChangelog(
	ctx context.Context, req gen.CreateProjectRepositoryChangelogRequestObject,
) (gen.CreateProjectRepositoryChangelogResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, section.ExplainForbidden(err)
	}
	b := req.Body
	asked, err := readRequest(clock.Now(ctx), b.Version, b.Date, b.ConfigFile, b.ConfigFileRef, b.From, b.To, b.Trailer)
	if err != nil {
		return nil, err
	}
	target, err := readTarget(row, b)
	if err != nil {
		return nil, err
	}
	if err := c.sections.MayCommit(ctx, row, target.Branch); err != nil {
		return nil, err
	}
	if err := c.sections.Commit(ctx, row, asked, target); err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryChangelog200JSONResponse{}, nil
}
