package mergerequests

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// TimeEstimateProjectMergeRequest sets the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/time_estimate
func (m *MergeRequests) TimeEstimateProjectMergeRequest(
	ctx context.Context, req gen.TimeEstimateProjectMergeRequestRequestObject,
) (gen.TimeEstimateProjectMergeRequestResponseObject, error) {
	shown, err := m.times(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Estimate(ctx, t, caller(ctx), req.Body.Duration)
	})
	return gen.TimeEstimateProjectMergeRequest200JSONResponse(shown), err
}

// ResetTimeEstimateProjectMergeRequest removes the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_time_estimate
func (m *MergeRequests) ResetTimeEstimateProjectMergeRequest(
	ctx context.Context, req gen.ResetTimeEstimateProjectMergeRequestRequestObject,
) (gen.ResetTimeEstimateProjectMergeRequestResponseObject, error) {
	shown, err := m.times(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.ResetEstimate(ctx, t, caller(ctx))
	})
	return gen.ResetTimeEstimateProjectMergeRequest200JSONResponse(shown), err
}

// AddSpentTimeProjectMergeRequest adds spent time to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/add_spent_time
func (m *MergeRequests) AddSpentTimeProjectMergeRequest(
	ctx context.Context, req gen.AddSpentTimeProjectMergeRequestRequestObject,
) (gen.AddSpentTimeProjectMergeRequestResponseObject, error) {
	shown, err := m.times(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Spend(ctx, t, caller(ctx), req.Body.Duration, req.Body.Summary, time.Now())
	})
	return gen.AddSpentTimeProjectMergeRequest201JSONResponse(shown), err
}

// ResetSpentTimeProjectMergeRequest removes the spent time of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_spent_time
func (m *MergeRequests) ResetSpentTimeProjectMergeRequest(
	ctx context.Context, req gen.ResetSpentTimeProjectMergeRequestRequestObject,
) (gen.ResetSpentTimeProjectMergeRequestResponseObject, error) {
	shown, err := m.times(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error { return m.issuables.ResetSpent(ctx, t, caller(ctx)) })
	return gen.ResetSpentTimeProjectMergeRequest200JSONResponse(shown), err
}

// GetProjectMergeRequestTimeStats returns the time estimate and the spent time of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/time_stats
func (m *MergeRequests) GetProjectMergeRequestTimeStats(
	ctx context.Context, req gen.GetProjectMergeRequestTimeStatsRequestObject,
) (gen.GetProjectMergeRequestTimeStatsResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestTimeStats200JSONResponse(present.TimeStats(found.TimeEstimate, found.TotalTimeSpent)), nil
}

// times changes the time tracking of a merge request and presents the result.
func (m *MergeRequests) times(ctx context.Context, project string, iid int64, change func(issuable.Target) error) (gen.TimeStats, error) {
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
