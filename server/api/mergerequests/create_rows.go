package mergerequests

import (
	"context"
	"errors"

	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// create writes a merge request with its version, to-dos, references, events and notifications, in the caller's
// transaction.
func (m *MergeRequests) create(
	ctx context.Context, target model.ProjectRow, mr *model.MergeRequest, span mergerequest.Comparison, p parts,
) error {
	if p.milestone != nil {
		mr.MilestoneID = *p.milestone
	}
	at := now()
	mr.PreparedAt = &at
	if err := m.store.MergeRequests.Create(ctx, mr); err != nil {
		return err
	}
	if err := m.merger.AddVersion(ctx, *mr, span); err != nil {
		return err
	}
	t := issuable.MergeRequestTarget(target.Project, *mr)
	if err := m.setParts(ctx, t, p); err != nil {
		return err
	}
	text := mr.Title + "\n" + wire.Value(mr.Description)
	if err := m.issuables.StoreReferences(ctx, target.Project, mr.ID, text, access.Reader(ctx)); err != nil {
		return err
	}
	if err := m.issuables.AddMentionTodos(ctx, t, mr.AuthorID, text, "", nil); err != nil {
		return err
	}
	if err := m.events.Activity(ctx, target.Project, events.On(mr.AuthorID, model.EventCreated, model.OnMergeRequest, mr.ID)); err != nil {
		return err
	}
	if err := m.issuables.Notify(ctx, t, mr.AuthorID, events.NewMergeRequest, nil); err != nil {
		return err
	}
	return m.merger.ScheduleRefresh(ctx, *mr, reqctx.Of(ctx).Actor.User.ID)
}

// setParts sets the assignees, reviewers and labels of a new merge request.
func (m *MergeRequests) setParts(ctx context.Context, t issuable.Target, p parts) error {
	if p.labels.IsSet() {
		labels, err := m.issuables.Labels(ctx, t.Project, p.labels, nil, true)
		if err != nil {
			return err
		}
		if _, _, err := m.store.MergeRequests.Relabel(ctx, t.ID, labels); err != nil {
			return err
		}
	}
	if p.assignees != nil {
		users, err := m.issuables.Assignable(ctx, t, *p.assignees)
		if err != nil {
			return err
		}
		err = errors.Join(
			m.store.MergeRequests.Assign(ctx, t.ID, users),
			m.issuables.AddAssignedTodos(ctx, t, caller(ctx), users),
		)
		if err != nil {
			return err
		}
	}
	if p.reviewers == nil {
		return nil
	}
	users, err := m.issuables.Assignable(ctx, t, *p.reviewers)
	if err != nil {
		return err
	}
	return errors.Join(
		m.store.MergeRequests.SetReviewers(ctx, t.ID, users),
		m.issuables.AddTodos(ctx, t, caller(ctx), model.TodoReviewRequested, users),
	)
}
