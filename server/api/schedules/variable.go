package schedules

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
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
	given := model.PipelineVariable{Key: b.Key, Value: b.Value}
	if err := launch.CheckVariables(row, []model.PipelineVariable{given}); err != nil {
		return nil, err
	}
	made := model.PipelineScheduleVariable{ScheduleID: found.ID, Key: b.Key, Value: b.Value, VariableType: model.VariableEnv}
	setVariable(&made, gen.PipelineVariableUpdate{Value: b.Value, VariableType: b.VariableType, Raw: b.Raw})
	err = s.store.PipelineSchedules.AddVariable(ctx, &made)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return nil, apierr.Invalid("key", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPipelineScheduleVariable201JSONResponse(present.ScheduleVariable(made)), nil
}

func setVariable(v *model.PipelineScheduleVariable, b gen.PipelineVariableUpdate) {
	v.Value = b.Value
	if b.VariableType != nil {
		v.VariableType = string(*b.VariableType)
	}
	if b.Raw != nil {
		v.Raw = *b.Raw
	}
}

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

// UpdateProjectPipelineScheduleVariable changes a variable of a schedule.
// PUT /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}
func (s *Schedules) UpdateProjectPipelineScheduleVariable(
	ctx context.Context, req gen.UpdateProjectPipelineScheduleVariableRequestObject,
) (gen.UpdateProjectPipelineScheduleVariableResponseObject, error) {
	row, v, err := s.variable(ctx, req.ID, req.PipelineScheduleID, req.Key)
	if err != nil {
		return nil, err
	}
	setVariable(&v, *req.Body)
	if err := launch.CheckVariables(row, []model.PipelineVariable{{Key: v.Key, Value: v.Value}}); err != nil {
		return nil, err
	}
	if err := s.store.PipelineSchedules.UpdateVariable(ctx, v); err != nil {
		return nil, err
	}
	return gen.UpdateProjectPipelineScheduleVariable200JSONResponse(present.ScheduleVariable(v)), nil
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
