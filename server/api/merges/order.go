package merges

import (
	"context"

	"svc/server/domain/mergerequest"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ApproveByCommand approves or unapproves a merge request, with the rules of ApproveProjectMergeRequest and
// UnapproveProjectMergeRequest.
func (m *Merges) ApproveByCommand(ctx context.Context, row model.ProjectRow, iid int64, agree bool) error {
	found, err := m.store.MergeRequests.Get(ctx, row.Project.ID, iid)
	if err != nil {
		return err
	}
	me := reqctx.Of(ctx).Actor.User.ID
	if agree {
		return m.approve(ctx, row, found, me)
	}
	return m.unapprove(ctx, found, me)
}

// MergeByCommand merges a merge request, with the rules of UpdateProjectMergeRequestMerge. If a pipeline runs, the merge
// waits until it succeeds. It must not be called in a transaction.
func (m *Merges) MergeByCommand(ctx context.Context, row model.ProjectRow, iid int64) (waits bool, err error) {
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
	return false, apiError(m.merger.Accept(ctx, row, user, actor, found.ID, o))
}
