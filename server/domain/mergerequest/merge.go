package mergerequest

import (
	"context"
	"errors"
	"net/http"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Merge merges a merge request for the caller. With wait, and if a pipeline runs, it schedules the merge for the time
// when the pipeline succeeds and returns true. It must not be called in a transaction.
func (s *Service) Merge(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, user model.User, o Options, wait bool,
) (waits bool, err error) {
	if wait {
		if waits, err = s.scheduleMerge(ctx, row, mr, user.ID, o); err != nil || waits {
			return waits, err
		}
	}
	return false, mergeError(s.merger.Accept(ctx, row, user, reqctx.Of(ctx).Actor, mr.ID, o))
}

// scheduleMerge schedules a merge for the time when the pipeline succeeds. It returns false if there is no pipeline to
// wait for.
func (s *Service) scheduleMerge(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64, o Options,
) (bool, error) {
	may, err := s.merger.Pusher.MayMerge(ctx, row, mr.TargetBranch)
	switch {
	case err != nil:
		return false, err
	case !may:
		return false, apierr.Unauthorized()
	}
	if err := s.merger.CheckWaitable(ctx, row.Project, mr, o); err != nil {
		return false, mergeError(err)
	}
	return s.merger.ScheduleAutoMerge(ctx, mr, userID, o)
}

// mergeError turns the refusal of a merge into an API error.
func mergeError(err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Kind {
	case NotAllowed:
		return apierr.Unauthorized()
	case NotNow, Waits:
		return &apierr.Error{Status: http.StatusMethodNotAllowed, Body: apierr.Body{Message: notNow}, Code: apierr.InTheWay}
	case HeadMoved, TargetMoved:
		return apierr.Conflict(refused.Text)
	}
	return apierr.Unprocessable(refused.Text)
}

// CheckMayCancelMerge refuses callers who may not cancel a scheduled merge. Users who may merge and the author may.
func (s *Service) CheckMayCancelMerge(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, userID int64,
) error {
	may, err := s.merger.Pusher.MayMerge(ctx, row, mr.TargetBranch)
	if err == nil && !may && mr.AuthorID != userID {
		err = apierr.Unauthorized()
	}
	return err
}

// CancelMerge cancels a scheduled merge for a user. It answers 406 if there is none.
func (s *Service) CancelMerge(ctx context.Context, mr model.MergeRequest, userID int64) error {
	waited, err := s.merger.CancelAutoMerge(ctx, mr, userID, "canceled the automatic merge")
	if err == nil && !waited {
		err = apierr.NotAcceptable()
	}
	return err
}
