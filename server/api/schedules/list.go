package schedules

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectPipelineSchedules lists the pipeline schedules of a project.
// GET /projects/{id}/pipeline_schedules
func (s *Schedules) ListProjectPipelineSchedules(
	ctx context.Context, req gen.ListProjectPipelineSchedulesRequestObject,
) (gen.ListProjectPipelineSchedulesResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadPipelineSchedule)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "Ci::PipelineSchedule", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	var filter store.ScheduleFilter
	if req.Params.Scope != nil {
		active := *req.Params.Scope == gen.PipelineScheduleScopeActive
		filter.Active = &active
	}
	rows, total, err := s.store.PipelineSchedules.List(ctx, row.Project.ID, filter, window.Page)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, one := range rows {
		if one.OwnerID != nil {
			ids = append(ids, *one.OwnerID)
		}
	}
	owners, err := s.store.Users.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPipelineSchedules200JSONResponse{
		Body: present.All(rows, func(one model.PipelineSchedule) gen.PipelineSchedule {
			if one.OwnerID == nil {
				return s.show.Schedule(one, nil)
			}
			owner := owners[*one.OwnerID]
			return s.show.Schedule(one, &owner)
		}),
		Headers: gen.ListProjectPipelineSchedules200ResponseHeaders(window.Headers(total)),
	}, nil
}
