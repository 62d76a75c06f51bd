package issues

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// ApplyIssueCommands applies the changes of quick actions to an issue, with the rules of UpdateProjectIssue.
func (s *Issues) ApplyIssueCommands(ctx context.Context, row model.ProjectRow, iid int64, c issuable.Change) error {
	found, err := s.get(ctx, row, iid)
	if err != nil {
		return err
	}
	if !mayChange(ctx, row, found) {
		return apierr.Forbidden()
	}
	body := gen.IssueUpdate{
		Title: c.Title, Labels: c.Labels.Set, AddLabels: c.Labels.Add, RemoveLabels: c.Labels.Remove, AssigneeIds: c.Assignees,
		Confidential: c.Confidential, DiscussionLocked: c.Locked,
	}
	if c.State != "" {
		event := gen.StateEvent(c.State)
		body.StateEvent = &event
	}
	if c.Milestone != nil {
		body.MilestoneID = wire.Maybe(*c.Milestone)
	}
	if c.Due != nil {
		body.DueDate = wire.Maybe(wire.DatePtr(*c.Due))
	}
	return s.change(ctx, row, found, body)
}

// LinkByCommand links two issues, with the rules of CreateProjectIssueLink. With duplicate, it marks the issue as a
// duplicate of the other one, and accepts that they are already linked.
func (s *Issues) LinkByCommand(ctx context.Context, row model.ProjectRow, iid int64, other model.IssueRow, duplicate bool) error {
	found, err := s.get(ctx, row, iid)
	if err != nil {
		return err
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		_, err := s.store.IssueLinks.Between(ctx, found.Issue.ID, other.Issue.ID)
		if !duplicate || store.IsNotFound(err) {
			link := model.IssueLink{SourceID: found.Issue.ID, TargetID: other.Issue.ID, LinkType: model.RelatesTo}
			err = s.link(ctx, row, found, other, &link, model.RelatesTo)
		}
		if err != nil || !duplicate {
			return err
		}
		if _, err := s.store.Issues.Update(ctx, found.Issue, map[string]any{"duplicated_to_id": other.Issue.ID}); err != nil {
			return err
		}
		name := visibleName(found.Issue, other.Issue, s.presenter(row.Project.FullPath, false).Issue(other).References.Relative)
		return s.issuables.AddSystemNotes(
			ctx, issuable.IssueTarget(row.Project, found.Issue, nil), callerID(ctx),
			issuable.SimpleNote("duplicate", "marked this issue as a duplicate of "+name),
		)
	})
}
