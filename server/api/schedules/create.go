package schedules

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// CreateProjectPipelineSchedule creates a schedule.
// POST /projects/{id}/pipeline_schedules
func (s *Schedules) CreateProjectPipelineSchedule(
	ctx context.Context, req gen.CreateProjectPipelineScheduleRequestObject,
) (gen.CreateProjectPipelineScheduleResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.CreatePipelineSchedule)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := s.schedules.Create(ctx, row, reqctx.Of(ctx).Actor.User.ID, schedule.Change{
		Description: &b.Description, Ref: &b.Ref, Cron: &b.Cron, CronTimezone: b.CronTimezone, Active: b.Active,
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, made)
	return gen.CreateProjectPipelineSchedule201JSONResponse(shown), err
}
