package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// UnapproveProjectMergeRequest removes the approval of the caller from a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/unapprove
func (m *MergeRequests) UnapproveProjectMergeRequest(
	ctx context.Context, req gen.UnapproveProjectMergeRequestRequestObject,
) (gen.UnapproveProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.unapprove(ctx, row, found, user.ID); err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.UnapproveProjectMergeRequest201JSONResponse(shown), err
}

// unapprove removes an approval.
func (m *MergeRequests) unapprove(ctx context.Context, row model.ProjectRow, found model.MergeRequest, userID int64) error {
	return m.store.Tx(ctx, func(ctx context.Context) error {
		had, err := m.store.MergeRequests.Unapprove(ctx, found.ID, userID)
		if err == nil && !had {
			err = apierr.NotFound("")
		}
		if err != nil {
			return err
		}
		if err := m.store.MergeRequests.SetReviewState(ctx, found.ID, userID, model.ReviewUnapproved); err != nil {
			return err
		}
		return m.issuables.AddSystemNotes(
			ctx, issuable.MergeRequestTarget(row.Project, found), userID,
			issuable.SimpleNote("unapproved", "unapproved this merge request"),
		)
	})
}
