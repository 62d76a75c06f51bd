package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ApplyMergeRequestCommands applies the changes of quick actions to a merge request, with the rules of
// UpdateProjectMergeRequest.
func (m *MergeRequests) ApplyMergeRequestCommands(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error {
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return err
	}
	if err := m.checkMayChange(ctx, row, found); err != nil {
		return err
	}
	body := gen.MergeRequestUpdate{Title: c.Title, TargetBranch: c.TargetBranch, AddLabels: c.Labels.Add, RemoveLabels: c.Labels.Remove}
	if c.State != "" {
		event := gen.StateEvent(c.State)
		body.StateEvent = &event
	}
	if c.Labels.Set != nil {
		body.Labels = wire.Some(*c.Labels.Set)
	}
	if c.Assignees != nil {
		body.AssigneeIds = wire.Some(*c.Assignees)
	}
	if c.Reviewers != nil {
		body.ReviewerIds = wire.Some(*c.Reviewers)
	}
	if c.Milestone != nil {
		body.MilestoneID = wire.Maybe(*c.Milestone)
	}
	if c.Locked != nil {
		body.DiscussionLocked = wire.Some(*c.Locked)
	}
	return m.change(ctx, row, found, body)
}

// ApproveByCommand approves or unapproves a merge request, with the rules of ApproveProjectMergeRequest and
// UnapproveProjectMergeRequest.
func (m *MergeRequests) ApproveByCommand(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error {
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return err
	}
	me := reqctx.Of(ctx).Actor.User.ID
	if agree {
		return m.approve(ctx, row, found, me)
	}
	return m.unapprove(ctx, row, found, me)
}

// MergeByCommand merges a merge request, with the rules of UpdateProjectMergeRequestMerge. If a pipeline runs, the merge
// waits until it succeeds. It must not be called in a transaction.
func (m *MergeRequests) MergeByCommand(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return false, apierr.Unauthorized()
	}
	user, err := m.store.Users.Get(ctx, actor.User.ID)
	if err != nil {
		return false, err
	}
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return false, err
	}
	o := mergerequest.Options{SHA: found.HeadSHA}
	if waits, err = m.scheduleMerge(ctx, row, found, user, o); err != nil || waits {
		return waits, err
	}
	return false, mergeError(m.merger.Accept(ctx, row, user, actor, found.ID, o))
}
