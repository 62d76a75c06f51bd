package mergerequest

import (
	"context"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ApplyByCommand applies the changes of quick actions to a merge request, with the rules of Apply, if the caller may
// change it.
func (s *Service) ApplyByCommand(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error {
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
	return s.Apply(ctx, row, mr, change)
}

// ApproveByCommand approves or unapproves a merge request for the caller.
func (s *Service) ApproveByCommand(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error {
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

// MergeByCommand merges a merge request for the caller. If a pipeline runs, the merge waits until it succeeds. It must
// not be called in a transaction.
func (s *Service) MergeByCommand(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error) {
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
