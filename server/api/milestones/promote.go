package milestones

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// PromoteProjectMilestone turns a project milestone into a milestone of the project's group.
// POST /projects/{id}/milestones/{milestone_id}/promote
func (m *Milestones) PromoteProjectMilestone(
	ctx context.Context, req gen.PromoteProjectMilestoneRequestObject,
) (gen.PromoteProjectMilestoneResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.PromoteMilestone)
	if err != nil {
		return nil, err
	}
	if row.Place.Kind != model.NamespaceGroup {
		return nil, apierr.Refused("The project does not belong to a group")
	}
	if _, _, err := m.access.Group(ctx, strconv.FormatInt(row.Place.ID, 10), access.AdminGroupMilestone); err != nil {
		return nil, err
	}
	found, err := m.milestones.Get(ctx, in.Owner, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	made, err := m.store.Milestones.Promote(ctx, found.Milestone, row.Place.ID)
	if err != nil {
		return nil, err
	}
	shown := m.presentOne(ctx, model.MilestoneRow{Milestone: made, Place: row.Place.FullPath})
	return gen.PromoteProjectMilestone200JSONResponse(shown), nil
}
