package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectIssueParticipants lists the participants of an issue.
// GET /projects/{id}/issues/{issue_iid}/participants
func (s *Issues) ListProjectIssueParticipants(
	ctx context.Context, req gen.ListProjectIssueParticipantsRequestObject,
) (gen.ListProjectIssueParticipantsResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Issues.Participants(ctx, model.OnIssue, found.Issue.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueParticipants200JSONResponse{
		Body:    present.All(rows, s.show.UserBasic),
		Headers: gen.ListProjectIssueParticipants200ResponseHeaders(window.Headers(total)),
	}, nil
}
