package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// ApproveProjectMergeRequest approves a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/approve
func (m *MergeRequests) ApproveProjectMergeRequest(
	ctx context.Context, req gen.ApproveProjectMergeRequestRequestObject,
) (gen.ApproveProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	if req.Body != nil && wire.Value(req.Body.Sha) != "" && *req.Body.Sha != found.HeadSHA {
		return nil, apierr.Conflict("SHA does not match HEAD of source branch: " + found.HeadSHA)
	}
	if err := m.approve(ctx, row, found, user.ID); err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.ApproveProjectMergeRequest201JSONResponse(shown), err
}

// approve records an approval, with its system note, events and notifications. It also closes the to-dos of the user
// about the merge request.
func (m *MergeRequests) approve(ctx context.Context, row model.ProjectRow, found model.MergeRequest, userID int64) error {
	if found.State != model.Opened {
		return apierr.Unauthorized()
	}
	t := issuable.MergeRequestTarget(row.Project, found)
	return m.store.Tx(ctx, func(ctx context.Context) error {
		first, err := m.store.MergeRequests.Approve(ctx, found.ID, userID)
		if err == nil && !first {
			err = apierr.Unauthorized()
		}
		if err != nil {
			return err
		}
		if err := m.store.MergeRequests.SetReviewState(ctx, found.ID, userID, model.ReviewApproved); err != nil {
			return err
		}
		if err := m.store.Todos.DoneForTarget(ctx, model.OnMergeRequest, found.ID, userID); err != nil {
			return err
		}
		if err := m.issuables.AddSystemNotes(ctx, t, userID, issuable.SimpleNote("approved", "approved this merge request")); err != nil {
			return err
		}
		if err := m.events.Activity(ctx, row.Project, events.On(userID, model.EventApproved, model.OnMergeRequest, found.ID)); err != nil {
			return err
		}
		return m.issuables.Notify(ctx, t, userID, events.ApproveMergeRequest, nil)
	})
}
