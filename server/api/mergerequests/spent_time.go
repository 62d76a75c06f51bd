package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/store/clock"
)

// AddProjectMergeRequestSpentTime adds spent time to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/add_spent_time
func (m *MergeRequests) AddProjectMergeRequestSpentTime(
	ctx context.Context, req gen.AddProjectMergeRequestSpentTimeRequestObject,
) (gen.AddProjectMergeRequestSpentTimeResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Spend(ctx, t, caller(ctx), req.Body.Duration, req.Body.Summary, clock.Now(ctx))
	})
	return gen.AddProjectMergeRequestSpentTime201JSONResponse(shown), err
}

// ResetProjectMergeRequestSpentTime removes the spent time of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_spent_time
func (m *MergeRequests) ResetProjectMergeRequestSpentTime(
	ctx context.Context, req gen.ResetProjectMergeRequestSpentTimeRequestObject,
) (gen.ResetProjectMergeRequestSpentTimeResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.ResetSpent(ctx, t, caller(ctx))
	})
	return gen.ResetProjectMergeRequestSpentTime200JSONResponse(shown), err
}
