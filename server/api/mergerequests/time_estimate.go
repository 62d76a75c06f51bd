package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
)

// TimeEstimateProjectMergeRequest sets the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/time_estimate
func (m *MergeRequests) TimeEstimateProjectMergeRequest(
	ctx context.Context, req gen.TimeEstimateProjectMergeRequestRequestObject,
) (gen.TimeEstimateProjectMergeRequestResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Estimate(ctx, t, caller(ctx), req.Body.Duration)
	})
	return gen.TimeEstimateProjectMergeRequest200JSONResponse(shown), err
}

// ResetTimeEstimateProjectMergeRequest removes the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_time_estimate
func (m *MergeRequests) ResetTimeEstimateProjectMergeRequest(
	ctx context.Context, req gen.ResetTimeEstimateProjectMergeRequestRequestObject,
) (gen.ResetTimeEstimateProjectMergeRequestResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.ResetEstimate(ctx, t, caller(ctx))
	})
	return gen.ResetTimeEstimateProjectMergeRequest200JSONResponse(shown), err
}
