package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectIssueTimeStats returns the time estimate and the spent time of an issue.
// GET /projects/{id}/issues/{issue_iid}/time_stats
func (s *Issues) GetProjectIssueTimeStats(
	ctx context.Context, req gen.GetProjectIssueTimeStatsRequestObject,
) (gen.GetProjectIssueTimeStatsResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	shown := present.TimeStats(found.Issue.TimeEstimate, found.Issue.TotalTimeSpent)
	return gen.GetProjectIssueTimeStats200JSONResponse(shown), nil
}
