package milestones

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/milestone"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectMilestone creates a milestone.
// POST /projects/{id}/milestones
func (m *Milestones) CreateProjectMilestone(
	ctx context.Context, req gen.CreateProjectMilestoneRequestObject,
) (gen.CreateProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMilestone201JSONResponse(shown), nil
}

// CreateGroupMilestone creates a milestone.
// POST /groups/{id}/milestones
func (m *Milestones) CreateGroupMilestone(
	ctx context.Context, req gen.CreateGroupMilestoneRequestObject,
) (gen.CreateGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupMilestone201JSONResponse(shown), nil
}

// create creates a milestone and presents it.
func (m *Milestones) create(ctx context.Context, in place, body gen.MilestoneCreate) (gen.Milestone, error) {
	made, err := m.milestones.Create(ctx, in.Owner, milestone.New{
		Title: body.Title, Description: body.Description.Ptr(),
		StartDate: day(body.StartDate), DueDate: day(body.DueDate),
	})
	return m.presentOne(ctx, model.MilestoneRow{Milestone: made, Place: in.path}), err
}

func day(given wire.Optional[wire.Date]) *time.Time {
	if given.Ptr() == nil {
		return nil
	}
	return &given.Ptr().Time
}
