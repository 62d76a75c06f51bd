package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectMergeRequestMergeRef returns the commit that a merge would create.
// GET /projects/{id}/merge_requests/{merge_request_iid}/merge_ref
func (m *MergeRequests) GetProjectMergeRequestMergeRef(
	ctx context.Context, req gen.GetProjectMergeRequestMergeRefRequestObject,
) (gen.GetProjectMergeRequestMergeRefResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	id, err := m.merger.MergeRef(ctx, row.Project, found)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestMergeRef200JSONResponse{CommitID: id}, nil
}
