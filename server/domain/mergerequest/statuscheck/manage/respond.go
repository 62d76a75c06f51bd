package manage

import (
	"context"

	"svc/server/domain/ci/engine"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

// Respond stores what a service says about a commit of a merge request, which must be its head. If all checks have passed then,
// an automatic merge that waited for them is tried again.
func (s *Service) Respond(ctx context.Context, mr model.MergeRequest, checkID int64, sha, status string) (statuscheck.Result, error) {
	found, err := s.find(ctx, mr, checkID)
	if err != nil {
		return found, err
	}
	if sha != mr.HeadSHA {
		return found, apierr.Conflict("SHA does not match HEAD of source branch")
	}
	found.Status = status
	err = s.Store.Tx(ctx, func(ctx context.Context) error {
		if err := s.put(ctx, mr, checkID, status); err != nil {
			return err
		}
		if status != model.CheckPassed || !mr.AutoMerge || mr.HeadPipelineID == nil {
			return nil
		}
		missing, err := statuscheck.Missing(ctx, s.Store, mr)
		if err != nil || missing[mr.ID] {
			return err
		}
		return s.Enqueue(ctx, engine.PipelineEnded{PipelineID: *mr.HeadPipelineID, MergeRequestID: mr.ID})
	})
	return found, apierr.OrNotFound(err)
}

// Retry asks the service of a failed check again.
func (s *Service) Retry(ctx context.Context, mr model.MergeRequest, checkID int64) error {
	found, err := s.find(ctx, mr, checkID)
	if err != nil {
		return err
	}
	if found.Status != model.CheckFailed {
		return apierr.Unprocessable("External status check must be failed")
	}
	return s.Store.Tx(ctx, func(ctx context.Context) error {
		return s.ask(ctx, mr, checkID, reqctx.Of(ctx).Actor.User.ID)
	})
}

// find returns a check that applies to a merge request.
func (s *Service) find(ctx context.Context, mr model.MergeRequest, checkID int64) (statuscheck.Result, error) {
	results, err := statuscheck.Load(ctx, s.Store, mr)
	if err != nil {
		return statuscheck.Result{}, err
	}
	for _, r := range results[mr.ID] {
		if r.Check.ID == checkID {
			return r, nil
		}
	}
	return statuscheck.Result{}, apierr.RecordNotFound()
}

// put stores the status of a check for the head of a merge request.
func (s *Service) put(ctx context.Context, mr model.MergeRequest, checkID int64, status string) error {
	return s.Store.StatusChecks.Put(ctx, &model.StatusCheckResponse{
		MergeRequestID: mr.ID, CheckID: checkID, SHA: mr.HeadSHA, Status: status, CalledAt: clock.Now(ctx).UTC(),
	})
}
