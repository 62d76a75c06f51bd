package mergerequest

import (
	"context"

	"svc/server/domain/ci/engine"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// Approve records an approval, with its system note, events and notifications. It also completes the to-dos of the user
// about the merge request. sha is the head that the user expects, or empty. Authors and committers may be excluded by the
// settings of the project. The approval that completes the required ones starts a merge that waits for them.
func (s *Service) Approve(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64, sha string,
) error {
	if sha != "" && sha != mr.HeadSHA {
		return apierr.Conflict(headMoved(mr))
	}
	if mr.State != model.Opened {
		return apierr.Unauthorized()
	}
	may, err := s.MayApprove(ctx, mr, userID)
	if err == nil && !may {
		err = apierr.Unauthorized()
	}
	if err != nil {
		return err
	}
	t := issuable.MergeRequestTarget(row.Project, mr)
	return s.review(ctx, row.Project, mr, userID, true, func(ctx context.Context) error {
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
	return s.review(ctx, row.Project, mr, userID, false, func(ctx context.Context) error {
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

// MayApprove reports whether the settings of the project let a user approve a merge request, besides the user's role.
func (s *Service) MayApprove(ctx context.Context, mr model.MergeRequest, userID int64) (bool, error) {
	state, err := approval.One(ctx, s.store, mr)
	if err != nil {
		return false, err
	}
	committers, err := s.store.MergeRequests.Committers(ctx, []int64{mr.ID})
	return state.MayApprove(userID, mr.AuthorID, committers[mr.ID]), err
}

// review adds or removes an approval in one transaction, and announces it to webhooks. If that changes whether the merge
// request is approved, the action says so.
func (s *Service) review(
	ctx context.Context, project model.Project, mr model.MergeRequest, userID int64, approves bool, change func(ctx context.Context) error,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		watch, err := s.issuables.Hooks.WatchMergeRequest(ctx, project, mr.ID)
		if err != nil {
			return err
		}
		before, err := approval.One(ctx, s.store, mr)
		if err != nil {
			return err
		}
		if err := change(ctx); err != nil {
			return err
		}
		after, err := approval.One(ctx, s.store, mr)
		if err != nil {
			return err
		}
		if approves && before.Missing() && !after.Missing() && mr.AutoMerge && mr.HeadPipelineID != nil {
			job := engine.PipelineEnded{PipelineID: *mr.HeadPipelineID, MergeRequestID: mr.ID}
			if err := s.merger.Enqueue(ctx, job); err != nil {
				return err
			}
		}
		return watch.Announce(ctx, announce.MergeRequestChange{UserID: userID, Action: reviewAction(approves, before, after)})
	})
}

// reviewAction returns how webhooks call an approval or its removal.
func reviewAction(approves bool, before, after approval.State) string {
	switch {
	case approves && (after.Required() == 0 || after.Approved() && !before.Approved()):
		return announce.MergeRequestApproved
	case approves:
		return announce.MergeRequestApproval
	case before.Required() == 0 || before.Approved() && !after.Approved():
		return announce.MergeRequestUnapproved
	}
	return announce.MergeRequestUnapproval
}

// ResetApprovals removes all approvals of an open merge request, for a bot of the project or group.
func (s *Service) ResetApprovals(ctx context.Context, row model.ProjectRow, mr model.MergeRequest, user model.Caller) error {
	if user.Kind != model.UserProjectBot || mr.State != model.Opened {
		return apierr.Unauthorized()
	}
	return s.merger.resetApprovals(ctx, row.Project, mr, user.ID, "reset the approvals")
}
