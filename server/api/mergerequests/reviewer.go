package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectMergeRequestReviewers lists the reviewers of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/reviewers
func (m *MergeRequests) ListProjectMergeRequestReviewers(
	ctx context.Context, req gen.ListProjectMergeRequestReviewersRequestObject,
) (gen.ListProjectMergeRequestReviewersResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, err := m.store.MergeRequests.Reviewers(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, rows)
	return gen.ListProjectMergeRequestReviewers200JSONResponse{
		Body:    present.All(few, m.show.MergeRequestReviewer),
		Headers: gen.ListProjectMergeRequestReviewers200ResponseHeaders(window.Headers(total)),
	}, nil
}
