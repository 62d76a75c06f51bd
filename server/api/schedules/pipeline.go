package schedules

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListProjectPipelineSchedulePipelines lists the pipelines of a schedule.
// GET /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/pipelines
func (s *Schedules) ListProjectPipelineSchedulePipelines(
	ctx context.Context, req gen.ListProjectPipelineSchedulePipelinesRequestObject,
) (gen.ListProjectPipelineSchedulePipelinesResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.PipelineScheduleID, access.ReadPipelineSchedule)
	if err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "Ci::Pipeline"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Pipelines.List(ctx, row.Project.ID, store.PipelineFilter{ScheduleID: found.ID}, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPipelineSchedulePipelines200JSONResponse{
		Body: present.All(rows, func(one model.Pipeline) gen.PipelineListed {
			return s.show.PipelineListed(row.Project.FullPath, one)
		}),
		Headers: gen.ListProjectPipelineSchedulePipelines200ResponseHeaders(window.Headers(total)),
	}, nil
}

// PlayProjectPipelineSchedule starts the pipeline of a schedule now.
// POST /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/play
func (s *Schedules) PlayProjectPipelineSchedule(
	ctx context.Context, req gen.PlayProjectPipelineScheduleRequestObject,
) (gen.PlayProjectPipelineScheduleResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.PipelineScheduleID, access.CreatePipelineSchedule)
	if err != nil {
		return nil, err
	}
	if err := s.checkRef(ctx, row, found.Ref); err != nil {
		return nil, err
	}
	if err := s.launch.Play(ctx, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	return gen.PlayProjectPipelineSchedule201JSONResponse{Message: "201 Created"}, nil
}

// TakeOwnershipProjectPipelineSchedule makes the caller the owner of a schedule.
// POST /projects/{id}/pipeline_schedules/{pipeline_schedule_id}/take_ownership
func (s *Schedules) TakeOwnershipProjectPipelineSchedule(
	ctx context.Context, req gen.TakeOwnershipProjectPipelineScheduleRequestObject,
) (gen.TakeOwnershipProjectPipelineScheduleResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.PipelineScheduleID, access.OwnPipelineSchedule)
	if err != nil {
		return nil, err
	}
	before, owner := found.OwnerID, reqctx.Of(ctx).Actor.User.ID
	found.OwnerID = &owner
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "pipeline_schedule_owner_updated", "Took over pipeline schedule")
		c.Target = events.Target{Type: "Ci::PipelineSchedule", ID: found.ID, Details: found.Description}
		c.Field, c.To = "owner_id", owner
		if before != nil {
			c.From = *before
		}
		return c, s.store.PipelineSchedules.Update(ctx, &found)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, found)
	return gen.TakeOwnershipProjectPipelineSchedule201JSONResponse(shown), err
}
