package issue

import (
	"context"

	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/store"
	"svc/store/model"
)

// RunCommands applies planned quick actions to an issue, in the caller's transaction.
func (s *Service) RunCommands(ctx context.Context, plan *quickaction.Plan) error {
	row, iid := plan.Item.Row, plan.Item.On.IID
	apply := func(c issuable.Change) error { return s.applyCommands(ctx, row, iid, c) }
	return plan.Run(apply, func(step quickaction.Step) error {
		if step.Relate != nil {
			return s.relate(ctx, row, iid, *step.Relate)
		}
		return step.Do(ctx)
	})
}

// applyCommands applies the changes of quick actions to an issue, if the caller may change it.
func (s *Service) applyCommands(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error {
	found, err := s.Get(ctx, row, iid)
	if err != nil {
		return err
	}
	if err := CheckMayChange(ctx, row, found); err != nil {
		return err
	}
	_, err = s.Apply(ctx, row, found, commandChange(c))
	return err
}

// relate links an issue to another one. A duplicate is also marked as a duplicate of the other issue, and may already
// be linked to it.
func (s *Service) relate(ctx context.Context, row model.ProjectRow, iid int64, to quickaction.Relation) error {
	found, err := s.Get(ctx, row, iid)
	if err != nil {
		return err
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		_, err := s.store.IssueLinks.Between(ctx, found.Issue.ID, to.Other.Issue.ID)
		if !to.Duplicate || store.IsNotFound(err) {
			link := model.IssueLink{SourceID: found.Issue.ID, TargetID: to.Other.Issue.ID, LinkType: model.RelatesTo}
			err = s.insertLink(ctx, row, found, to.Other, &link, model.RelatesTo)
		}
		if err != nil || !to.Duplicate {
			return err
		}
		return s.markDuplicate(ctx, row, found.Issue, to.Other.Issue)
	})
}

// markDuplicate marks an issue as a duplicate of another one.
func (s *Service) markDuplicate(ctx context.Context, row model.ProjectRow, i, other model.Issue) error {
	watch, err := s.issuables.Hooks.WatchIssue(ctx, row.Project, i.ID)
	if err != nil {
		return err
	}
	if _, err := s.store.Issues.Update(ctx, i, map[string]any{"duplicated_to_id": other.ID}); err != nil {
		return err
	}
	name := visibleName(i, other, reference(other))
	err = s.issuables.AddSystemNotes(
		ctx, issuable.IssueTarget(row.Project, i, nil), callerID(ctx),
		issuable.SimpleNote("duplicate", "marked this issue as a duplicate of "+name),
	)
	if err != nil {
		return err
	}
	return watch.Announce(ctx, callerID(ctx), 0)
}
