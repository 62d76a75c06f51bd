package statistics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/fetch"
	"svc/server/platform/access"
)

// GetProjectStatistics counts the clones and fetches of a project.
// GET /projects/{id}/statistics
func (s *Statistics) GetProjectStatistics(
	ctx context.Context, req gen.GetProjectStatisticsRequestObject,
) (gen.GetProjectStatisticsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadProjectStatistics)
	if err != nil {
		return nil, err
	}
	rows, err := fetch.Recent(ctx, s.store, row.Project.ID)
	if err != nil {
		return nil, err
	}
	shown := gen.ProjectFetches{Days: make([]gen.ProjectFetchesOfDay, len(rows))}
	for i, day := range rows {
		shown.Total += day.Count
		shown.Days[i] = gen.ProjectFetchesOfDay{Count: day.Count, Date: wire.NewDate(day.Date)}
	}
	return gen.GetProjectStatistics200JSONResponse{Fetches: shown}, nil
}
