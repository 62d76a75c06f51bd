package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// UpdateProjectMergeRequest changes a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) UpdateProjectMergeRequest(
	ctx context.Context, req gen.UpdateProjectMergeRequestRequestObject,
) (gen.UpdateProjectMergeRequestResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayChange(ctx, row, found); err != nil {
		return nil, err
	}
	changed, err := m.service.Apply(ctx, row, found, changeFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := m.presentRow(ctx, row, changed)
	return gen.UpdateProjectMergeRequest200JSONResponse(shown), err
}
