package mergerequest

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Approve records an approval, with its system note, events and notifications. It also completes the to-dos of the user
// about the merge request. sha is the head that the user expects, or empty.
func (s *Service) Approve(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64, sha string,
) error {
	if sha != "" && sha != mr.HeadSHA {
		return apierr.Conflict(headMoved(mr))
	}
	if mr.State != model.Opened {
		return apierr.Unauthorized()
	}
	t := issuable.MergeRequestTarget(row.Project, mr)
	return s.store.Tx(ctx, func(ctx context.Context) error {
		first, err := s.store.MergeRequests.Approve(ctx, mr.ID, userID)
		if err == nil && !first {
			err = apierr.Unauthorized()
		}
		if err != nil {
			return err
		}
		if err := s.store.MergeRequests.SetReviewState(ctx, mr.ID, userID, model.ReviewApproved); err != nil {
			return err
		}
		if err := s.store.Todos.DoneForTarget(ctx, model.OnMergeRequest, mr.ID, userID); err != nil {
			return err
		}
		note := issuable.SimpleNote("approved", "approved this merge request")
		if err := s.issuables.AddSystemNotes(ctx, t, userID, note); err != nil {
			return err
		}
		approved := events.On(userID, model.EventApproved, model.OnMergeRequest, mr.ID)
		if err := s.events.Activity(ctx, row.Project, approved); err != nil {
			return err
		}
		return s.issuables.Notify(ctx, t, userID, events.ApproveMergeRequest, nil)
	})
}

// Unapprove removes the approval of a user, and writes a system note.
func (s *Service) Unapprove(ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		had, err := s.store.MergeRequests.Unapprove(ctx, mr.ID, userID)
		if err == nil && !had {
			err = apierr.NotFound("")
		}
		if err != nil {
			return err
		}
		if err := s.store.MergeRequests.SetReviewState(ctx, mr.ID, userID, model.ReviewUnapproved); err != nil {
			return err
		}
		return s.issuables.AddSystemNotes(
			ctx, issuable.MergeRequestTarget(row.Project, mr), userID,
			issuable.SimpleNote("unapproved", "unapproved this merge request"),
		)
	})
}
