package mergerequest

import (
	"context"

	"svc/openapi/wire"
	"svc/server/domain/discussion"
	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// RunCommands applies planned quick actions to a merge request, in the caller's transaction, except merging.
func (s *Service) RunCommands(ctx context.Context, plan *quickaction.Plan) error {
	row, iid := plan.Item.Row, plan.Item.On.IID
	apply := func(c issuable.Change) error { return s.applyCommands(ctx, row, iid, c) }
	return plan.Run(apply, func(step quickaction.Step) error {
		if step.Approve != nil {
			return s.approveByCommand(ctx, row, iid, *step.Approve)
		}
		return step.Do(ctx)
	})
}

// RunMerge merges the merge request, after all other quick actions of a plan. It must not be called in a transaction.
func (s *Service) RunMerge(ctx context.Context, plan *quickaction.Plan) error {
	waits, err := s.mergeByCommand(ctx, plan.Item.Row, plan.Item.On.IID)
	return plan.RecordMerge(waits, err)
}

// runDescription carries out the quick actions in the description of a new merge request. It skips actions that fail, and
// merging.
func (s *Service) runDescription(
	ctx context.Context, row model.ProjectRow, id int64, commands quickaction.Commands,
) error {
	if len(commands) == 0 {
		return nil
	}
	on, err := s.store.Noteables.Get(ctx, model.OnMergeRequest, id)
	if err != nil {
		return err
	}
	plan, err := s.quickActions.Plan(ctx, discussion.Item{Row: row, On: on, Caller: caller(ctx)}, commands)
	if err != nil {
		return err
	}
	return s.RunCommands(ctx, plan)
}

// applyCommands applies the changes of quick actions to a merge request, with the rules of Apply, if the caller may
// change it.
func (s *Service) applyCommands(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error {
	mr, err := s.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return err
	}
	if err := s.CheckMayChange(ctx, row, mr); err != nil {
		return err
	}
	change := Change{
		Title: c.Title, TargetBranch: c.TargetBranch, State: c.State,
		Parts: Parts{Assignees: c.Assignees, Reviewers: c.Reviewers, Labels: c.Labels, Milestone: c.Milestone},
	}
	if c.Locked != nil {
		change.Locked = wire.Some(*c.Locked)
	}
	_, err = s.Apply(ctx, row, mr, change)
	return err
}

// approveByCommand approves or unapproves a merge request for the caller.
func (s *Service) approveByCommand(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error {
	mr, err := s.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return err
	}
	me := reqctx.Of(ctx).Actor.User.ID
	if agree {
		return s.Approve(ctx, row, mr, me, "")
	}
	return s.Unapprove(ctx, row, mr, me)
}

// mergeByCommand merges a merge request for the caller. If a pipeline runs, the merge waits until it succeeds.
func (s *Service) mergeByCommand(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return false, apierr.Unauthorized()
	}
	user, err := s.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return false, err
	}
	mr, err := s.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return false, err
	}
	return s.Merge(ctx, row, mr, user, Options{SHA: mr.HeadSHA}, true)
}
