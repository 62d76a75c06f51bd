package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListProjectMergeRequestParticipants lists the participants of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/participants
func (m *MergeRequests) ListProjectMergeRequestParticipants(
	ctx context.Context, req gen.ListProjectMergeRequestParticipantsRequestObject,
) (gen.ListProjectMergeRequestParticipantsResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.MergeRequests.Participants(ctx, found, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestParticipants200JSONResponse{
		Body:    present.All(rows, m.show.UserBasic),
		Headers: gen.ListProjectMergeRequestParticipants200ResponseHeaders(window.Headers(total)),
	}, nil
}
