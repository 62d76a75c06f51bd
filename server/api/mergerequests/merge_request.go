package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
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
	shown, err := m.presentRow(ctx, row, found)
	if err != nil {
		return nil, err
	}
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
		present.MergeRequestHTML(&shown)
	}
	return gen.GetProjectMergeRequest200JSONResponse(shown), nil
}

// presentOne reads and presents one merge request with its current merge status.
func (m *MergeRequests) presentOne(ctx context.Context, row model.ProjectRow, iid int64) (gen.MergeRequest, error) {
	mr, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return gen.MergeRequest{}, err
	}
	return m.presentRow(ctx, row, mr)
}

// presentRow presents a merge request that was read or written just now, with its current merge status.
func (m *MergeRequests) presentRow(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest,
) (gen.MergeRequest, error) {
	single, err := m.viewer.SingleOf(ctx, row, mr)
	if err != nil {
		return gen.MergeRequest{}, err
	}
	show := m.show.MergeRequests(present.MergeRequestDetails(single.Details), row.Project.FullPath, clock.Now(ctx))
	return show.MergeRequestSingle(single.Row, present.MergeRequestExtras(single.Extras)), nil
}
