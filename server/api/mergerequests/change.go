package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/present"
	"svc/store/git"
)

// GetProjectMergeRequestChanges returns a merge request with its changed files.
// GET /projects/{id}/merge_requests/{merge_request_iid}/changes
func (m *MergeRequests) GetProjectMergeRequestChanges(
	ctx context.Context, req gen.GetProjectMergeRequestChangesRequestObject,
) (gen.GetProjectMergeRequestChangesResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	files, cut, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := m.presentOne(ctx, s.row, s.mr.IID)
	if err != nil {
		return nil, err
	}
	changes := present.All(files, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) })
	shown.Changes, shown.Overflow = &changes, &cut
	return gen.GetProjectMergeRequestChanges200JSONResponse(shown), nil
}
