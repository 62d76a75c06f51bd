package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectMilestone shows a milestone.
// GET /projects/{id}/milestones/{milestone_id}
func (m *Milestones) GetProjectMilestone(
	ctx context.Context, req gen.GetProjectMilestoneRequestObject,
) (gen.GetProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err != nil {
		return nil, err
	}
	row, err := m.milestones.Get(ctx, in.Owner, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMilestone200JSONResponse(m.presentOne(ctx, row)), nil
}

// GetGroupMilestone shows a milestone.
// GET /groups/{id}/milestones/{milestone_id}
func (m *Milestones) GetGroupMilestone(
	ctx context.Context, req gen.GetGroupMilestoneRequestObject,
) (gen.GetGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	row, err := m.milestones.Get(ctx, in.Owner, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupMilestone200JSONResponse(m.presentOne(ctx, row)), nil
}
