package mergerequests

import (
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
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
	window, err := m.window(ctx, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
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

// review changes the reviewers of a merge request, creates to-dos for the new reviewers and sends the notifications.
func (m *MergeRequests) review(ctx context.Context, t issuable.Target, p parts) error {
	if p.reviewers == nil {
		return nil
	}
	before, err := m.store.MergeRequests.ReviewerIDs(ctx, t.ID)
	if err != nil {
		return err
	}
	after, err := m.issuables.Assignable(ctx, t, *p.reviewers)
	if err != nil || slices.Equal(before, after) {
		return err
	}
	if err := m.store.MergeRequests.SetReviewers(ctx, t.ID, after); err != nil {
		return err
	}
	added, removed, err := m.names(ctx, before, after)
	if err != nil {
		return err
	}
	var said []string
	if len(added) > 0 {
		said = append(said, "requested review from @"+strings.Join(added, " @"))
	}
	if len(removed) > 0 {
		said = append(said, "removed review request for @"+strings.Join(removed, " @"))
	}
	me := caller(ctx)
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.SimpleNote("reviewer", strings.Join(said, " and "))); err != nil {
		return err
	}
	if err := m.issuables.AddTodos(ctx, t, me, model.TodoReviewRequested, without(after, before)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, events.ReviewMergeRequest, before)
}
