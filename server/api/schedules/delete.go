package schedules

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// DeleteProjectPipelineSchedule deletes a schedule.
// DELETE /projects/{id}/pipeline_schedules/{pipeline_schedule_id}
func (s *Schedules) DeleteProjectPipelineSchedule(
	ctx context.Context, req gen.DeleteProjectPipelineScheduleRequestObject,
) (gen.DeleteProjectPipelineScheduleResponseObject, error) {
	_, found, err := s.findForChange(ctx, req.ID, req.PipelineScheduleID)
	if err != nil {
		return nil, err
	}
	unmodifiedSince := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := s.store.PipelineSchedules.Delete(ctx, found, unmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPipelineSchedule204Response{}, nil
}
