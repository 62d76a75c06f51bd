package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectMergeRequest deletes a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) DeleteProjectMergeRequest(
	ctx context.Context, req gen.DeleteProjectMergeRequestRequestObject,
) (gen.DeleteProjectMergeRequestResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.DestroyMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayDelete(ctx, row, found); err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := m.service.Delete(ctx, row.Project, found, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequest204Response{}, nil
}
