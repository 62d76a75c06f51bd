package merges

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProjectMergeRequestApprovals returns the approvals of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approvals
func (m *Merges) GetProjectMergeRequestApprovals(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalsRequestObject,
) (gen.GetProjectMergeRequestApprovalsResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.GetProjectMergeRequestApprovals200JSONResponse(shown), err
}

func (m *Merges) approvals(ctx context.Context, row model.ProjectRow, mr model.MergeRequest) (gen.MergeRequestApprovals, error) {
	by, err := m.store.MergeRequests.Approvers(ctx, mr.ID)
	var reader *int64
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		reader = &actor.User.ID
	}
	return m.show.MergeRequestApprovals(mr, by, reader, row.Role() >= model.Developer && mr.State == model.Opened), err
}

// GetProjectMergeRequestApprovalState returns the approval rules of a merge request. The list is always empty.
// GET /projects/{id}/merge_requests/{merge_request_iid}/approval_state
func (m *Merges) GetProjectMergeRequestApprovalState(
	ctx context.Context, req gen.GetProjectMergeRequestApprovalStateRequestObject,
) (gen.GetProjectMergeRequestApprovalStateResponseObject, error) {
	if _, _, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest); err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestApprovalState200JSONResponse{Rules: []map[string]any{}}, nil
}

// ApproveProjectMergeRequest approves a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/approve
func (m *Merges) ApproveProjectMergeRequest(
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
func (m *Merges) approve(ctx context.Context, row model.ProjectRow, found model.MergeRequest, userID int64) error {
	if found.State != model.Opened {
		return apierr.Unauthorized()
	}
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
		if err := m.note(ctx, found, userID, "approved", "approved this merge request"); err != nil {
			return err
		}
		if err := m.events.Activity(ctx, row.Project, events.On(userID, model.EventApproved, model.OnMergeRequest, found.ID)); err != nil {
			return err
		}
		return m.events.Notify(ctx, events.Notification{
			Event: events.ApproveMergeRequest, ProjectID: row.Project.ID, AuthorID: userID,
			TargetType: model.OnMergeRequest, TargetID: found.ID,
		})
	})
}

// unapprove removes an approval.
func (m *Merges) unapprove(ctx context.Context, found model.MergeRequest, userID int64) error {
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
		return m.note(ctx, found, userID, "unapproved", "unapproved this merge request")
	})
}

// UnapproveProjectMergeRequest removes the approval of the caller from a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/unapprove
func (m *Merges) UnapproveProjectMergeRequest(
	ctx context.Context, req gen.UnapproveProjectMergeRequestRequestObject,
) (gen.UnapproveProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.ApproveMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.unapprove(ctx, found, user.ID); err != nil {
		return nil, err
	}
	shown, err := m.approvals(ctx, row, found)
	return gen.UnapproveProjectMergeRequest201JSONResponse(shown), err
}

// note adds a system note.
func (m *Merges) note(ctx context.Context, mr model.MergeRequest, userID int64, action, body string) error {
	return m.store.Notes.Add(ctx, &model.Note{
		ProjectID: mr.ProjectID, NoteableType: model.OnMergeRequest, NoteableID: &mr.ID, AuthorID: userID, Body: body,
		System: true, Action: &action,
	})
}
