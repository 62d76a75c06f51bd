package schedule

import (
	"context"
	"errors"

	"svc/server/domain/ci/launch"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Variable describes a variable of a schedule. Nil fields stay as they are.
type Variable struct {
	Value string
	Type  *string
	Raw   *bool
}

// AddVariable adds a variable to a schedule, and returns it. The project is as the caller sees it.
func (s *Service) AddVariable(
	ctx context.Context, row model.ProjectRow, scheduleID int64, key string, v Variable,
) (model.PipelineScheduleVariable, error) {
	made := model.PipelineScheduleVariable{ScheduleID: scheduleID, Key: key, VariableType: model.VariableEnv}
	v.apply(&made)
	if err := launch.CheckVariables(row, []model.PipelineVariable{{Key: key, Value: v.Value}}); err != nil {
		return made, err
	}
	err := s.store.PipelineSchedules.AddVariable(ctx, &made)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("key", "has already been taken")
	}
	return made, err
}

// ChangeVariable changes a variable of a schedule, and returns it. The project is as the caller sees it.
func (s *Service) ChangeVariable(
	ctx context.Context, row model.ProjectRow, found model.PipelineScheduleVariable, v Variable,
) (model.PipelineScheduleVariable, error) {
	v.apply(&found)
	if err := launch.CheckVariables(row, []model.PipelineVariable{{Key: found.Key, Value: found.Value}}); err != nil {
		return found, err
	}
	err := s.store.PipelineSchedules.UpdateVariable(ctx, found)
	return found, err
}

func (v Variable) apply(to *model.PipelineScheduleVariable) {
	to.Value = v.Value
	if v.Type != nil {
		to.VariableType = *v.Type
	}
	if v.Raw != nil {
		to.Raw = *v.Raw
	}
}
