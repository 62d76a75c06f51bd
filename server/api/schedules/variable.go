package schedules

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// variable returns a variable of a schedule that the caller may change.
func (s *Schedules) variable(
	ctx context.Context, project string, id int64, key string,
) (model.ProjectRow, model.PipelineScheduleVariable, error) {
	row, found, err := s.findForChange(ctx, project, id)
	if err != nil {
		return row, model.PipelineScheduleVariable{}, err
	}
	v, err := s.store.PipelineSchedules.Variable(ctx, found.ID, key)
	if store.IsNotFound(err) {
		err = apierr.NotFound("Pipeline Schedule Variable")
	}
	return row, v, err
}

// GetProjectPipelineScheduleVariable shows a variable of a schedule.
// GET /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}
func (s *Schedules) GetProjectPipelineScheduleVariable(
	ctx context.Context, req gen.GetProjectPipelineScheduleVariableRequestObject,
) (gen.GetProjectPipelineScheduleVariableResponseObject, error) {
	_, v, err := s.variable(ctx, req.ID, req.PipelineScheduleID, req.Key)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectPipelineScheduleVariable200JSONResponse(present.ScheduleVariable(v)), nil
}

// DeleteProjectPipelineScheduleVariable removes a variable from a schedule.
// DELETE /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}
func (s *Schedules) DeleteProjectPipelineScheduleVariable(
	ctx context.Context, req gen.DeleteProjectPipelineScheduleVariableRequestObject,
) (gen.DeleteProjectPipelineScheduleVariableResponseObject, error) {
	_, v, err := s.variable(ctx, req.ID, req.PipelineScheduleID, req.Key)
	if err != nil {
		return nil, err
	}
	if err := s.store.PipelineSchedules.DeleteVariable(ctx, v); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPipelineScheduleVariable202JSONResponse(present.ScheduleVariable(v)), nil
}
