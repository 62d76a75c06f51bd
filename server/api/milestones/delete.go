package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectMilestone deletes a milestone.
// DELETE /projects/{id}/milestones/{milestone_id}
func (m *Milestones) DeleteProjectMilestone(
	ctx context.Context, req gen.DeleteProjectMilestoneRequestObject,
) (gen.DeleteProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	err = m.milestones.Delete(ctx, in.Owner, req.MilestoneID, unmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectMilestone204Response{}, nil
}

// DeleteGroupMilestone deletes a milestone.
// DELETE /groups/{id}/milestones/{milestone_id}
func (m *Milestones) DeleteGroupMilestone(
	ctx context.Context, req gen.DeleteGroupMilestoneRequestObject,
) (gen.DeleteGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	err = m.milestones.Delete(ctx, in.Owner, req.MilestoneID, unmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupMilestone204Response{}, nil
}
