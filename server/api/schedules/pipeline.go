package schedules

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
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
	window, err := pagination.OffsetOnly(ctx, s.pages, "Ci::Pipeline", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	filter := store.PipelineFilter{ScheduleID: found.ID}
	rows, total, err := s.store.Pipelines.List(ctx, row.Project.ID, filter, window.Page)
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
	if err := s.schedules.Play(ctx, row, found, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return nil, err
	}
	return gen.PlayProjectPipelineSchedule201JSONResponse{Message: "201 Created"}, nil
}
