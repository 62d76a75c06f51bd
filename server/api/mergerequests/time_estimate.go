package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
)

// SetProjectMergeRequestTimeEstimate sets the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/time_estimate
func (m *MergeRequests) SetProjectMergeRequestTimeEstimate(
	ctx context.Context, req gen.SetProjectMergeRequestTimeEstimateRequestObject,
) (gen.SetProjectMergeRequestTimeEstimateResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Estimate(ctx, t, caller(ctx), req.Body.Duration)
	})
	return gen.SetProjectMergeRequestTimeEstimate200JSONResponse(shown), err
}

// ResetProjectMergeRequestTimeEstimate removes the time estimate of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_time_estimate
func (m *MergeRequests) ResetProjectMergeRequestTimeEstimate(
	ctx context.Context, req gen.ResetProjectMergeRequestTimeEstimateRequestObject,
) (gen.ResetProjectMergeRequestTimeEstimateResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.ResetEstimate(ctx, t, caller(ctx))
	})
	return gen.ResetProjectMergeRequestTimeEstimate200JSONResponse(shown), err
}
