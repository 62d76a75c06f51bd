package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProjectMergeRequestApprovals returns the approvals of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approvals
func (m *MergeRequests) GetProjectMergeRequestApprovals(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalsRequestObject,
) (gen.GetProjectMergeRequestApprovalsResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.GetProjectMergeRequestApprovals200JSONResponse(shown), err
}

// approvals reads and presents the approvals of a merge request.
func (m *MergeRequests) approvals(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest,
) (gen.MergeRequestApprovals, error) {
	by, err := m.store.MergeRequests.Approvers(ctx, mr.ID)
	var reader *int64
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		reader = &actor.User.ID
	}
	return m.show.MergeRequestApprovals(mr, by, reader, row.Role() >= model.Developer && mr.State == model.Opened), err
}

// GetProjectMergeRequestApprovalState returns the approval rules of a merge request. The list is always empty.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approval_state
func (m *MergeRequests) GetProjectMergeRequestApprovalState(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalStateRequestObject,
) (gen.GetProjectMergeRequestApprovalStateResponseObject, error) {
	if _, _, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest); err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestApprovalState200JSONResponse{Rules: []map[string]any{}}, nil
}
