package schedules

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/schedule"
	"svc/server/platform/present"
)

// CreateProjectPipelineScheduleVariable adds a variable to a schedule.
// POST /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables
func (s *Schedules) CreateProjectPipelineScheduleVariable(
	ctx context.Context, req gen.CreateProjectPipelineScheduleVariableRequestObject,
) (gen.CreateProjectPipelineScheduleVariableResponseObject, error) {
	row, found, err := s.findForChange(ctx, req.ID, req.PipelineScheduleID)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := s.schedules.AddVariable(ctx, row, found.ID, b.Key, schedule.Variable{
		Value: b.Value, Type: (*string)(b.VariableType), Raw: b.Raw,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPipelineScheduleVariable201JSONResponse(present.ScheduleVariable(made)), nil
}

// UpdateProjectPipelineScheduleVariable changes a variable of a schedule.
// PUT /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}
func (s *Schedules) UpdateProjectPipelineScheduleVariable(
	ctx context.Context, req gen.UpdateProjectPipelineScheduleVariableRequestObject,
) (gen.UpdateProjectPipelineScheduleVariableResponseObject, error) {
	row, v, err := s.variable(ctx, req.ID, req.PipelineScheduleID, req.Key)
	if err != nil {
		return nil, err
	}
	b := req.Body
	v, err = s.schedules.ChangeVariable(ctx, row, v, schedule.Variable{
		Value: b.Value, Type: (*string)(b.VariableType), Raw: b.Raw,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectPipelineScheduleVariable200JSONResponse(present.ScheduleVariable(v)), nil
}
