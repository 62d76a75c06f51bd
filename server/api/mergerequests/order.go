package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
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
