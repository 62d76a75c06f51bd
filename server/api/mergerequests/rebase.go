package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// RebaseProjectMergeRequest rebases a merge request in the background.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/rebase
func (m *MergeRequests) RebaseProjectMergeRequest(
	ctx context.Context, req gen.RebaseProjectMergeRequestRequestObject,
) (gen.RebaseProjectMergeRequestResponseObject, error) {
	_, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayRebase(ctx, found, user.ID); err != nil {
		return nil, err
	}
	skipCI := req.Body != nil && wire.Value(req.Body.SkipCi.Ptr())
	if err := m.service.Rebase(ctx, found, user.ID, skipCI); err != nil {
		return nil, err
	}
	return gen.RebaseProjectMergeRequest202JSONResponse{RebaseInProgress: true}, nil
}
