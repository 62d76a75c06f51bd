package mergerequests

import (
	"context"

	"svc/server/domain/issuable"
	"svc/server/platform/events"
	"svc/store/model"
)

// changeState closes or reopens a merge request.
func (m *MergeRequests) changeState(
	ctx context.Context, row model.ProjectRow, t issuable.Target, before model.MergeRequest, c *change,
) error {
	me := caller(ctx)
	action, news := "", ""
	switch {
	case c.state == "close" && before.State == model.Opened:
		c.set["state"], c.set["closed_by_id"], c.set["closed_at"] = model.Closed, me, now()
		c.set["auto_merge"], c.set["auto_merge_user_id"], c.set["auto_merge_options"] = false, nil, nil
		action, news = model.EventClosed, events.CloseMergeRequest
		if err := m.store.Todos.DoneForTarget(ctx, model.OnMergeRequest, before.ID, 0); err != nil {
			return err
		}
	case c.state == "reopen" && before.State == model.Closed:
		if err := m.reopen(ctx, row.Project, before, c); err != nil {
			return err
		}
		action, news = model.EventReopened, events.ReopenMergeRequest
	default:
		return nil
	}
	if err := m.issuables.AddSystemNotes(ctx, t, me, issuable.SimpleNote(action, action)); err != nil {
		return err
	}
	if err := m.events.Activity(ctx, row.Project, events.On(me, action, model.OnMergeRequest, before.ID)); err != nil {
		return err
	}
	return m.issuables.Notify(ctx, t, me, news, nil)
}

// reopen reopens a merge request with the current commits of its branches.
func (m *MergeRequests) reopen(ctx context.Context, project model.Project, mr model.MergeRequest, c *change) error {
	tips, err := m.merger.Tips(ctx, project, mr)
	switch {
	case err != nil:
		return err
	case tips.Source == "":
		return invalidMergeRequest("Source branch \"" + clip(mr.SourceBranch) + "\" does not exist")
	case tips.Target == "":
		return invalidMergeRequest("Target branch \"" + clip(mr.TargetBranch) + "\" does not exist")
	}
	c.set["state"], c.set["closed_by_id"], c.set["closed_at"] = model.Opened, nil, nil
	c.set["head_sha"], c.set["target_sha"], c.set["merge_status"] = tips.Source, tips.Target, model.MergeUnchecked
	return m.merger.ScheduleRefresh(ctx, mr, caller(ctx))
}
