package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// parts are the assignees, reviewers, labels and milestone of a merge request; nil leaves a part unchanged.
type parts struct {
	assignees, reviewers *[]int64
	labels               issuable.LabelInput
	milestone            **int64
}

// partsOfNew reads the parts of a new merge request.
func (m *MergeRequests) partsOfNew(ctx context.Context, target model.ProjectRow, b gen.MergeRequestCreate) (parts, error) {
	var p parts
	if target.Role() < model.Developer { // callers from outside may not set these
		return p, nil
	}
	if id := b.AssigneeID.Ptr(); id != nil && b.AssigneeIds == nil {
		b.AssigneeIds = &[]int64{*id}
	}
	p.assignees, p.reviewers, p.labels.Set = b.AssigneeIds, b.ReviewerIds, b.Labels
	if b.MilestoneID.Ptr() != nil {
		milestone, err := m.milestone(ctx, target.Project, b.MilestoneID.Ptr())
		if err != nil {
			return p, err
		}
		p.milestone = &milestone
	}
	return p, nil
}

// readParts reads the parts to change in a merge request.
func (m *MergeRequests) readParts(ctx context.Context, row model.ProjectRow, b gen.MergeRequestUpdate, c *change) error {
	listed := func(given wire.Optional[[]int64]) *[]int64 {
		if !given.IsSet() {
			return nil
		}
		if ids := given.Ptr(); ids != nil {
			return ids
		}
		return &[]int64{}
	}
	c.parts.assignees, c.parts.reviewers = listed(b.AssigneeIds), listed(b.ReviewerIds)
	if b.AssigneeID.IsSet() && c.parts.assignees == nil {
		c.parts.assignees = &[]int64{}
		if id := b.AssigneeID.Ptr(); id != nil && *id != 0 {
			c.parts.assignees = &[]int64{*id}
		}
	}
	if b.DiscussionLocked.IsSet() {
		c.set["discussion_locked"] = b.DiscussionLocked.Ptr()
	}
	c.parts.labels.Add, c.parts.labels.Remove = b.AddLabels, b.RemoveLabels
	if b.Labels.IsSet() {
		c.parts.labels.Set = &[]string{}
		if names := b.Labels.Ptr(); names != nil {
			c.parts.labels.Set = names
		}
	}
	if b.MilestoneID.IsSet() {
		milestone, err := m.milestone(ctx, row.Project, b.MilestoneID.Ptr())
		if err != nil {
			return err
		}
		c.parts.milestone = &milestone
		c.set["milestone_id"] = milestone
	}
	return nil
}

// milestone finds a milestone of the project or of a group above. The ID 0 means no milestone.
func (m *MergeRequests) milestone(ctx context.Context, project model.Project, id *int64) (*int64, error) {
	if id == nil || *id == 0 {
		return nil, nil
	}
	found, err := m.store.Milestones.Find(ctx, store.OwnedByProject(project), *id)
	if store.IsNotFound(err) {
		return nil, apierr.Invalid("milestone", "is invalid")
	}
	return &found.Milestone.ID, err
}
