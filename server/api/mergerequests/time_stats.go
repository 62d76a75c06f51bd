package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectMergeRequestTimeStats returns the time estimate and the spent time of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/time_stats
func (m *MergeRequests) GetProjectMergeRequestTimeStats(
	ctx context.Context, req gen.GetProjectMergeRequestTimeStatsRequestObject,
) (gen.GetProjectMergeRequestTimeStatsResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	shown := present.TimeStats(found.TimeEstimate, found.TotalTimeSpent)
	return gen.GetProjectMergeRequestTimeStats200JSONResponse(shown), nil
}

// changeTimes changes the time tracking of a merge request and presents the result.
func (m *MergeRequests) changeTimes(
	ctx context.Context, project string, iid int64, change func(issuable.Target) error,
) (gen.TimeStats, error) {
	row, found, err := m.find(ctx, project, iid, access.AdminMergeRequest)
	if err != nil {
		return gen.TimeStats{}, err
	}
	if err := change(issuable.MergeRequestTarget(row.Project, found)); err != nil {
		return gen.TimeStats{}, err
	}
	found, err = m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	return present.TimeStats(found.TimeEstimate, found.TotalTimeSpent), err
}
