package mergerequest

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/domain/webhook/announce"
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
	return s.review(ctx, row.Project, mr.ID, userID, announce.MergeRequestApproved, func(ctx context.Context) error {
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
	return s.review(ctx, row.Project, mr.ID, userID, announce.MergeRequestUnapproved, func(ctx context.Context) error {
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

// review adds or removes an approval in one transaction, and announces it to webhooks.
func (s *Service) review(
	ctx context.Context, project model.Project, id, userID int64, action string, change func(ctx context.Context) error,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		watch, err := s.issuables.Hooks.WatchMergeRequest(ctx, project, id)
		if err != nil {
			return err
		}
		if err := change(ctx); err != nil {
			return err
		}
		return watch.Announce(ctx, announce.MergeRequestChange{UserID: userID, Action: action})
	})
}
