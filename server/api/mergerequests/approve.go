package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// ApproveProjectMergeRequest approves a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/approve
func (m *MergeRequests) ApproveProjectMergeRequest(
	ctx context.Context, req gen.ApproveProjectMergeRequestRequestObject,
) (gen.ApproveProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	sha := ""
	if req.Body != nil {
		sha = wire.Value(req.Body.Sha)
	}
	if err := m.service.Approve(ctx, row, found, user.ID, sha); err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.ApproveProjectMergeRequest201JSONResponse(shown), err
}

// UnapproveProjectMergeRequest removes the approval of the caller from a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/unapprove
func (m *MergeRequests) UnapproveProjectMergeRequest(
	ctx context.Context, req gen.UnapproveProjectMergeRequestRequestObject,
) (gen.UnapproveProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.Unapprove(ctx, row, found, user.ID); err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.UnapproveProjectMergeRequest201JSONResponse(shown), err
}
