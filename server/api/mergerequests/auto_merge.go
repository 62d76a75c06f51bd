package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// CancelProjectMergeRequestAutoMerge cancels a scheduled merge.
// POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds
func (m *MergeRequests) CancelProjectMergeRequestAutoMerge(
	ctx context.Context, req gen.CancelProjectMergeRequestAutoMergeRequestObject,
) (gen.CancelProjectMergeRequestAutoMergeResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.MergeMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayCancelMerge(ctx, row, found, user.ID); err != nil {
		return nil, err
	}
	if err := m.service.CancelMerge(ctx, found, user.ID); err != nil {
		return nil, err
	}
	return gen.CancelProjectMergeRequestAutoMerge201JSONResponse{
		Status: gen.AutoMergeCanceledStatusSuccess,
	}, nil
}
