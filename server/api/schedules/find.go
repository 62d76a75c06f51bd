package schedules

import (
	"context"

	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// find returns a schedule of a project in which the caller has the ability.
func (s *Schedules) find(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.PipelineSchedule, error) {
	row, err := s.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.PipelineSchedule{}, err
	}
	found, err := s.store.PipelineSchedules.Get(ctx, row.Project.ID, id)
	if store.IsNotFound(err) {
		err = apierr.NotFound("Pipeline Schedule")
	}
	return row, found, err
}

// findForChange is find for operations that change a schedule: only maintainers and the owner of the schedule may.
func (s *Schedules) findForChange(
	ctx context.Context, project string, id int64,
) (model.ProjectRow, model.PipelineSchedule, error) {
	row, found, err := s.find(ctx, project, id, access.UpdatePipelineSchedule)
	if err == nil && !schedule.MayChange(ctx, row, found) {
		err = apierr.Forbidden()
	}
	return row, found, err
}
