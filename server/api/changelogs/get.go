package changelogs

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/clock"
)

// GetProjectRepositoryChangelog generates a section of the changelog without committing it.
// GET /projects/{id}/repository/changelog
func (c *Changelogs) GetProjectRepositoryChangelog(
	ctx context.Context, req gen.GetProjectRepositoryChangelogRequestObject,
) (gen.GetProjectRepositoryChangelogResponseObject, error) {
	row, err := c.access.Project(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	p := req.Params
	asked, err := readRequest(clock.Now(ctx), p.Version, p.Date, p.ConfigFile, p.ConfigFileRef, p.From, p.To, p.Trailer)
	if err != nil {
		return nil, err
	}
	notes, err := c.sections.Generate(ctx, row, asked)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryChangelog200JSONResponse{Notes: notes}, nil
}
