package statistics

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
)

// GetApplicationStatistics counts the things on the instance.
// GET /application/statistics
func (s *Statistics) GetApplicationStatistics(
	ctx context.Context, _ gen.GetApplicationStatisticsRequestObject,
) (gen.GetApplicationStatisticsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadStatistics); err != nil {
		return nil, err
	}
	n, err := s.store.Instance.Statistics(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetApplicationStatistics200JSONResponse{
		Forks: thousands(n.Forks), Issues: thousands(n.Issues), MergeRequests: thousands(n.MergeRequests), Notes: thousands(n.Notes),
		Snippets: thousands(n.Snippets), SSHKeys: thousands(n.SSHKeys), Milestones: thousands(n.Milestones), Users: thousands(n.Users),
		Projects: thousands(n.Projects), Groups: thousands(n.Groups), ActiveUsers: thousands(n.ActiveUsers),
	}, nil
}

// thousands writes a number with commas between thousands.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
