package schedules

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// UpdateProjectPipelineSchedule changes a schedule.
// PUT /projects/{id}/pipeline_schedules/{pipeline_schedule_id}
func (s *Schedules) UpdateProjectPipelineSchedule(
	ctx context.Context, req gen.UpdateProjectPipelineScheduleRequestObject,
) (gen.UpdateProjectPipelineScheduleResponseObject, error) {
	row, found, err := s.findForChange(ctx, req.ID, req.PipelineScheduleID)
	if err != nil {
		return nil, err
	}
	b := req.Body
	found, err = s.schedules.Apply(ctx, row, found, schedule.Change{
		Description: b.Description, Ref: b.Ref, Cron: b.Cron, CronTimezone: b.CronTimezone, Active: b.Active,
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, found)
	return gen.UpdateProjectPipelineSchedule200JSONResponse(shown), err
}

// TakeProjectPipelineScheduleOwnership makes the caller the owner of a schedule.
// POST /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/take_ownership
func (s *Schedules) TakeProjectPipelineScheduleOwnership(
	ctx context.Context, req gen.TakeProjectPipelineScheduleOwnershipRequestObject,
) (gen.TakeProjectPipelineScheduleOwnershipResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.PipelineScheduleID, access.OwnPipelineSchedule)
	if err != nil {
		return nil, err
	}
	if found, err = s.schedules.TakeOwnership(ctx, row.Project, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, found)
	return gen.TakeProjectPipelineScheduleOwnership201JSONResponse(shown), err
}
