package schedules

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"svc/gen"
	"svc/server/domain/ci/cron"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

const (
	maxDescription = 255
	maxSchedules   = 50 // per project
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
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "Ci::PipelineSchedule"}, req.Params.Page, req.Params.PerPage)
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

// CreateProjectPipelineSchedule creates a schedule.
// POST /projects/{id}/pipeline_schedules
func (s *Schedules) CreateProjectPipelineSchedule(
	ctx context.Context, req gen.CreateProjectPipelineScheduleRequestObject,
) (gen.CreateProjectPipelineScheduleResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.CreatePipelineSchedule)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made := model.PipelineSchedule{
		ProjectID: row.Project.ID, OwnerID: &reqctx.Of(ctx).Actor.User.ID, CronTimezone: "UTC", Active: b.Active == nil || *b.Active,
	}
	if err := fill(&made, gen.PipelineScheduleUpdate{
		Description: &b.Description, Ref: &b.Ref, Cron: &b.Cron, CronTimezone: b.CronTimezone,
	}); err != nil {
		return nil, err
	}
	if err := s.checkRef(ctx, row, made.Ref); err != nil {
		return nil, err
	}
	err = s.store.PipelineSchedules.Create(ctx, &made, maxSchedules)
	var full *store.LimitError
	if errors.As(err, &full) {
		return nil, apierr.Invalid("base", fmt.Sprintf("Maximum number of pipeline schedules (%d) exceeded", full.Most))
	}
	if err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, made)
	return gen.CreateProjectPipelineSchedule201JSONResponse(shown), err
}

// fill copies the given fields into the schedule, checks them, and computes the next run.
func fill(s *model.PipelineSchedule, b gen.PipelineScheduleUpdate) error {
	for _, field := range []struct {
		to    *string
		given *string
	}{{&s.Description, b.Description}, {&s.Ref, b.Ref}, {&s.Cron, b.Cron}, {&s.CronTimezone, b.CronTimezone}} {
		if field.given != nil {
			*field.to = strings.TrimSpace(*field.given)
		}
	}
	if b.Active != nil {
		s.Active = *b.Active
	}
	broken := map[string][]string{}
	for name, text := range map[string]string{"description": s.Description, "ref": s.Ref, "cron": s.Cron, "cron_timezone": s.CronTimezone} {
		switch {
		case text == "":
			broken[name] = []string{"can't be blank"}
		case utf8.RuneCountInString(text) > maxDescription:
			broken[name] = []string{"is too long (maximum is 255 characters)"}
		}
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	schedule, err := cron.Parse(s.Cron, s.CronTimezone)
	switch {
	case errors.Is(err, cron.ErrZone):
		return apierr.Invalid("cron_timezone", "is invalid syntax")
	case err != nil:
		return apierr.Invalid("cron", err.Error())
	}
	next := schedule.Next(time.Now()).UTC()
	s.NextRunAt = &next
	return nil
}

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

// UpdateProjectPipelineSchedule changes a schedule.
// PUT /projects/{id}/pipeline_schedules/{pipeline_schedule_id}
func (s *Schedules) UpdateProjectPipelineSchedule(
	ctx context.Context, req gen.UpdateProjectPipelineScheduleRequestObject,
) (gen.UpdateProjectPipelineScheduleResponseObject, error) {
	row, found, err := s.findForChange(ctx, req.ID, req.PipelineScheduleID)
	if err != nil {
		return nil, err
	}
	if err := fill(&found, *req.Body); err != nil {
		return nil, err
	}
	if err := s.checkRef(ctx, row, found.Ref); err != nil {
		return nil, err
	}
	if err := s.store.PipelineSchedules.Update(ctx, &found); err != nil {
		return nil, err
	}
	shown, err := s.detail(ctx, row, found)
	return gen.UpdateProjectPipelineSchedule200JSONResponse(shown), err
}

// DeleteProjectPipelineSchedule deletes a schedule.
// DELETE /projects/{id}/pipeline_schedules/{pipeline_schedule_id}
func (s *Schedules) DeleteProjectPipelineSchedule(
	ctx context.Context, req gen.DeleteProjectPipelineScheduleRequestObject,
) (gen.DeleteProjectPipelineScheduleResponseObject, error) {
	_, found, err := s.findForChange(ctx, req.ID, req.PipelineScheduleID)
	if err != nil {
		return nil, err
	}
	if err := s.store.PipelineSchedules.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPipelineSchedule204Response{}, nil
}
