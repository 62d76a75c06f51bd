package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectMergeRequest returns a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) GetProjectMergeRequest(
	ctx context.Context, req gen.GetProjectMergeRequestRequestObject,
) (gen.GetProjectMergeRequestResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	single, err := m.show.One(ctx, row, found.IID)
	if err != nil {
		return nil, err
	}
	shown := single.Body()
	if wire.Value(req.Params.IncludeDivergedCommitsCount) {
		if found, err = m.merger.CheckInTime(ctx, row.Project, found); err != nil {
			return nil, err
		}
		shown.DivergedCommitsCount = &found.Diverged
	}
	if wire.Value(req.Params.IncludeRebaseInProgress) {
		shown.RebaseInProgress = &found.Rebasing
	}
	if wire.Value(req.Params.RenderHTML) {
		present.MergeRequestPresenter{}.HTML(&shown)
	}
	return gen.GetProjectMergeRequest200JSONResponse(shown), nil
}
