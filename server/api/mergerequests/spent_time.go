package mergerequests

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/issuable"
)

// AddSpentTimeProjectMergeRequest adds spent time to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/add_spent_time
func (m *MergeRequests) AddSpentTimeProjectMergeRequest(
	ctx context.Context, req gen.AddSpentTimeProjectMergeRequestRequestObject,
) (gen.AddSpentTimeProjectMergeRequestResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.Spend(ctx, t, caller(ctx), req.Body.Duration, req.Body.Summary, time.Now())
	})
	return gen.AddSpentTimeProjectMergeRequest201JSONResponse(shown), err
}

// ResetSpentTimeProjectMergeRequest removes the spent time of a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/reset_spent_time
func (m *MergeRequests) ResetSpentTimeProjectMergeRequest(
	ctx context.Context, req gen.ResetSpentTimeProjectMergeRequestRequestObject,
) (gen.ResetSpentTimeProjectMergeRequestResponseObject, error) {
	shown, err := m.changeTimes(ctx, req.ID, req.MergeRequestIid, func(t issuable.Target) error {
		return m.issuables.ResetSpent(ctx, t, caller(ctx))
	})
	return gen.ResetSpentTimeProjectMergeRequest200JSONResponse(shown), err
}
