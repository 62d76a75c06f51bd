package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// UpdateProjectMergeRequestRebase rebases a merge request in the background.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/rebase
func (m *MergeRequests) UpdateProjectMergeRequestRebase(
	ctx context.Context, req gen.UpdateProjectMergeRequestRebaseRequestObject,
) (gen.UpdateProjectMergeRequestRebaseResponseObject, error) {
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
	return gen.UpdateProjectMergeRequestRebase202JSONResponse{RebaseInProgress: true}, nil
}
