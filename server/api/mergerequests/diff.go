package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
)

// ListProjectMergeRequestDiffs lists the changed files of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/diffs
func (m *MergeRequests) ListProjectMergeRequestDiffs(
	ctx context.Context, req gen.ListProjectMergeRequestDiffsRequestObject,
) (gen.ListProjectMergeRequestDiffsResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Diff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	files, _, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, files)
	return gen.ListProjectMergeRequestDiffs200JSONResponse{
		Body:    present.All(few, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) }),
		Headers: gen.ListProjectMergeRequestDiffs200ResponseHeaders(window.Headers(total)),
	}, nil
}
