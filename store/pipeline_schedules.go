package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// PipelineSchedules holds the pipeline schedules and their variables.
type PipelineSchedules struct{ *base }

const pipelineSchedule = "Pipeline Schedule"

// Find returns a schedule, whichever project it belongs to.
func (s PipelineSchedules) Find(ctx context.Context, id int64) (model.PipelineSchedule, error) {
	return query.Take[model.PipelineSchedule](s.db.Read(ctx).Where("id = ?", id), pipelineSchedule)
}

// Due lists active schedules whose next run is due. Those that have waited longest come first.
func (s PipelineSchedules) Due(ctx context.Context, at time.Time, most int) ([]model.PipelineSchedule, error) {
	rows, err := query.Find[model.PipelineSchedule](s.db.Read(ctx).Where("active AND next_run_at <= ?", at).
		Order("next_run_at, id").Limit(most), most)
	return rows, query.Translate(err)
}

// Advance sets the next run of a schedule. It returns false if another process has set it meanwhile.
func (s PipelineSchedules) Advance(ctx context.Context, id int64, from, to time.Time) (bool, error) {
	res := s.db.Write(ctx).Model(&model.PipelineSchedule{}).Where("id = ? AND active AND next_run_at = ?", id, from).
		UpdateColumn("next_run_at", to)
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// Variables returns the variables that the pipelines of a schedule get.
func (s PipelineSchedules) Variables(ctx context.Context, id int64) ([]model.PipelineScheduleVariable, error) {
	rows, err := query.Find[model.PipelineScheduleVariable](s.db.Read(ctx).Where("schedule_id = ?", id).Order("key"), 0)
	return rows, query.Translate(err)
}

// ScheduleFilter filters a list of schedules.
type ScheduleFilter struct{ Active *bool }

// List returns one page of the schedules of a project, in the order of creation.
func (s PipelineSchedules) List(ctx context.Context, projectID int64, f ScheduleFilter, p Page) ([]model.PipelineSchedule, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID).Order("id")
	if f.Active != nil {
		q = q.Where("active = ?", *f.Active)
	}
	return query.List[model.PipelineSchedule](q, p)
}

// Get returns a schedule of a project.
func (s PipelineSchedules) Get(ctx context.Context, projectID, id int64) (model.PipelineSchedule, error) {
	return query.Take[model.PipelineSchedule](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), pipelineSchedule)
}

// Create adds a schedule. It returns a *LimitError if the project already has most schedules.
func (s PipelineSchedules) Create(ctx context.Context, row *model.PipelineSchedule, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "schedules of project "+strconv.FormatInt(row.ProjectID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM pipeline_schedules WHERE project_id = ?", row.ProjectID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Update stores a changed schedule.
func (s PipelineSchedules) Update(ctx context.Context, row *model.PipelineSchedule) error {
	return query.Translate(s.db.Write(ctx).Save(row).Error)
}

// Delete removes a schedule, unless it was changed after the given time.
func (s PipelineSchedules) Delete(ctx context.Context, row model.PipelineSchedule, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, pipelineSchedule, unchangedSince)
}

// Last returns the newest pipeline of a schedule.
func (s PipelineSchedules) Last(ctx context.Context, id int64) (model.Pipeline, error) {
	return query.Take[model.Pipeline](s.db.Read(ctx).Where("schedule_id = ?", id).Order("id DESC"), pipeline)
}

// LastOf returns the newest pipelines of some schedules, by the ID of the schedule.
func (s PipelineSchedules) LastOf(ctx context.Context, ids []int64) (map[int64]model.Pipeline, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	newest := s.db.Read(ctx).Model(&model.Pipeline{}).Select("max(id)").Where("schedule_id IN ?", ids).Group("schedule_id")
	rows, err := query.Find[model.Pipeline](s.db.Read(ctx).Where("id IN (?)", newest), len(ids))
	last := make(map[int64]model.Pipeline, len(rows))
	for _, row := range rows {
		last[*row.ScheduleID] = row
	}
	return last, query.Translate(err)
}

const scheduleVariable = "Pipeline Schedule Variable"

// Variable returns a variable of a schedule.
func (s PipelineSchedules) Variable(ctx context.Context, id int64, key string) (model.PipelineScheduleVariable, error) {
	return query.Take[model.PipelineScheduleVariable](s.db.Read(ctx).Where("schedule_id = ? AND key = ?", id, key), scheduleVariable)
}

// AddVariable adds a variable to a schedule. It returns a *ConflictError if the schedule has one with that key.
func (s PipelineSchedules) AddVariable(ctx context.Context, row *model.PipelineScheduleVariable) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// UpdateVariable stores a changed variable.
func (s PipelineSchedules) UpdateVariable(ctx context.Context, row model.PipelineScheduleVariable) error {
	return query.Translate(s.db.Write(ctx).Save(&row).Error)
}

// DeleteVariable removes a variable. Variables have no timestamps, so it checks for no change.
func (s PipelineSchedules) DeleteVariable(ctx context.Context, row model.PipelineScheduleVariable) error {
	return query.DeleteOne(ctx, s.db, row, scheduleVariable, nil)
}
