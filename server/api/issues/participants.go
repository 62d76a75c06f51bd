package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectIssueParticipants lists the participants of an issue.
// GET /projects/{id}/issues/{issue_iid}/participants
func (s *Issues) ListProjectIssueParticipants(
	ctx context.Context, req gen.ListProjectIssueParticipantsRequestObject,
) (gen.ListProjectIssueParticipantsResponseObject, error) {
	_, id, err := s.findID(ctx, req.ID, req.IssueIid)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Issues.Participants(ctx, model.OnIssue, id, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueParticipants200JSONResponse{
		Body:    present.All(rows, s.show.UserBasic),
		Headers: gen.ListProjectIssueParticipants200ResponseHeaders(window.Headers(total)),
	}, nil
}
