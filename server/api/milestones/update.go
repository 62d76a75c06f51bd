package milestones

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/milestone"
	"svc/server/platform/access"
)

// UpdateProjectMilestone changes a milestone.
// PUT /projects/{id}/milestones/{milestone_id}
func (m *Milestones) UpdateProjectMilestone(
	ctx context.Context, req gen.UpdateProjectMilestoneRequestObject,
) (gen.UpdateProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.update(ctx, in, req.MilestoneID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMilestone200JSONResponse(shown), nil
}

// UpdateGroupMilestone changes a milestone.
// PUT /groups/{id}/milestones/{milestone_id}
func (m *Milestones) UpdateGroupMilestone(
	ctx context.Context, req gen.UpdateGroupMilestoneRequestObject,
) (gen.UpdateGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.update(ctx, in, req.MilestoneID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupMilestone200JSONResponse(shown), nil
}

// update changes a milestone and presents it.
func (m *Milestones) update(ctx context.Context, in place, id int64, body gen.MilestoneUpdate) (gen.Milestone, error) {
	row, err := m.milestones.Apply(ctx, in.Owner, id, changeFrom(body))
	return m.presentOne(ctx, row), err
}

// changeFrom reads a change of a milestone from the request.
func changeFrom(body gen.MilestoneUpdate) milestone.Change {
	c := milestone.Change{Title: body.Title, Description: body.Description}
	if body.StartDate.IsSet() {
		c.StartDate = wire.Maybe(day(body.StartDate))
	}
	if body.DueDate.IsSet() {
		c.DueDate = wire.Maybe(day(body.DueDate))
	}
	if body.StateEvent != nil {
		c.State = string(*body.StateEvent)
	}
	return c
}
