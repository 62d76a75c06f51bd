package store

import (
	"context"
	"time"

	"svc/store/model"
)

// PipelineSchedules are the schedules of projects.
type PipelineSchedules struct{ *base }

const pipelineSchedule = "Pipeline Schedule"

// Find returns a schedule, whatever project it is of.
func (s PipelineSchedules) Find(ctx context.Context, id int64) (model.PipelineSchedule, error) {
	return take[model.PipelineSchedule](s.read(ctx).Where("id = ?", id), pipelineSchedule)
}

// Due lists active schedules whose time has come, those that wait longest first.
func (s PipelineSchedules) Due(ctx context.Context, at time.Time, most int) ([]model.PipelineSchedule, error) {
	rows, err := find[model.PipelineSchedule](s.read(ctx).Where("active AND next_run_at <= ?", at).Order("next_run_at, id").Limit(most), most)
	return rows, translate(err)
}

// Advance sets when a schedule runs next; false if somebody else has set it meanwhile.
func (s PipelineSchedules) Advance(ctx context.Context, id int64, from, to time.Time) (bool, error) {
	res := s.write(ctx).Model(&model.PipelineSchedule{}).Where("id = ? AND active AND next_run_at = ?", id, from).UpdateColumn("next_run_at", to)
	return res.RowsAffected > 0, translate(res.Error)
}

// Variables are what the pipelines of a schedule are given.
func (s PipelineSchedules) Variables(ctx context.Context, id int64) ([]model.PipelineScheduleVariable, error) {
	rows, err := find[model.PipelineScheduleVariable](s.read(ctx).Where("schedule_id = ?", id).Order("key"), 0)
	return rows, translate(err)
}
