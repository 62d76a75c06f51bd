package mergerequest

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/platform/events"
	"svc/store/model"
)

// setState adds closing or reopening to an update and writes what follows: the system note, the activity event and the
// notifications. Closing also completes the to-dos for the merge request.
func (s *Service) setState(
	ctx context.Context, project model.Project, t issuable.Target, before model.MergeRequest, u update,
) error {
	me := caller(ctx)
	action, news := "", ""
	switch {
	case u.state == "close" && before.State == model.Opened:
		u.set["state"], u.set["closed_by_id"], u.set["closed_at"] = model.Closed, me, now(ctx)
		u.set["auto_merge"], u.set["auto_merge_user_id"], u.set["auto_merge_options"] = false, nil, nil
		action, news = model.EventClosed, events.CloseMergeRequest
		if err := s.store.Todos.DoneForTarget(ctx, model.OnMergeRequest, before.ID, 0); err != nil {
			return err
		}
	case u.state == "reopen" && before.State == model.Closed:
		if err := s.reopen(ctx, project, before, u); err != nil {
			return err
		}
		action, news = model.EventReopened, events.ReopenMergeRequest
	default:
		return nil
	}
	if err := s.issuables.AddSystemNotes(ctx, t, me, issuable.SimpleNote(action, action)); err != nil {
		return err
	}
	if err := s.issuables.RecordState(ctx, t, me, action); err != nil {
		return err
	}
	if err := s.events.Activity(ctx, project, events.On(me, action, model.OnMergeRequest, before.ID)); err != nil {
		return err
	}
	return s.issuables.Notify(ctx, t, me, news, nil)
}

// reopen adds reopening to an update, with the current commits of the branches.
func (s *Service) reopen(ctx context.Context, project model.Project, mr model.MergeRequest, u update) error {
	tips, err := s.merger.Tips(ctx, project, mr)
	switch {
	case err != nil:
		return err
	case tips.Source == "":
		return noSourceBranch(mr.SourceBranch)
	case tips.Target == "":
		return noTargetBranch(mr.TargetBranch)
	}
	u.set["state"], u.set["closed_by_id"], u.set["closed_at"] = model.Opened, nil, nil
	u.set["head_sha"], u.set["target_sha"], u.set["merge_status"] = tips.Source, tips.Target, model.MergeUnchecked
	return s.merger.ScheduleRefresh(ctx, mr, caller(ctx))
}
