package schedules

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/model"
)

// GetProjectPipelineSchedule shows a schedule.
// GET /projects/{id}/pipeline_schedules/{pipeline_schedule_id}
func (s *Schedules) GetProjectPipelineSchedule(
	ctx context.Context, req gen.GetProjectPipelineScheduleRequestObject,
) (gen.GetProjectPipelineScheduleResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.PipelineScheduleID, access.ReadPipelineSchedule)
	if err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, found)
	return gen.GetProjectPipelineSchedule200JSONResponse(shown), err
}

// detail presents a schedule with its owner and last pipeline. Variables are included if the caller may see them.
func (s *Schedules) detail(
	ctx context.Context, row model.ProjectRow, found model.PipelineSchedule,
) (gen.PipelineScheduleDetail, error) {
	var owner *model.User
	if found.OwnerID != nil {
		user, err := s.store.Users.Get(ctx, *found.OwnerID)
		if err != nil {
			return gen.PipelineScheduleDetail{}, err
		}
		owner = &user
	}
	var last *model.Pipeline
	newest, err := s.store.PipelineSchedules.Last(ctx, found.ID)
	switch {
	case err == nil:
		last = &newest
	case !store.IsNotFound(err):
		return gen.PipelineScheduleDetail{}, err
	}
	var given []model.PipelineScheduleVariable
	if schedule.MayChange(ctx, row, found) {
		if given, err = s.store.PipelineSchedules.Variables(ctx, found.ID); err != nil {
			return gen.PipelineScheduleDetail{}, err
		}
	}
	return s.show.ScheduleDetail(found, owner, last, given), nil
}
