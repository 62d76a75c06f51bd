package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// PipelineFilter filters and orders a list of pipelines.
type PipelineFilter struct {
	ScheduleID    int64 // 0 for all
	Scope         string
	Status        string
	Source        string
	Ref           string
	SHA           string
	Username      string
	Name          string
	YamlErrors    *bool
	UpdatedAfter  *time.Time
	UpdatedBefore *time.Time
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
	Order         string // a column; empty for the id
	Asc           bool
}

// pipelineListed names the columns that List reads.
const pipelineListed = "id, iid, project_id, sha, ref, status, source, created_at, updated_at, name"

// List returns one page of the pipelines of a project, with the columns that lists show. Child pipelines are left out,
// unless the filter asks for the source parent_pipeline.
func (s Pipelines) List(ctx context.Context, projectID int64, f PipelineFilter, p Page) ([]model.Pipeline, Total, error) {
	q := f.narrow(s.db.Read(ctx).Select(pipelineListed).Where("project_id = ?", projectID), projectID)
	column := "id"
	if f.Order != "" {
		column = f.Order
	}
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: column}, Desc: !f.Asc})
	if column != "id" {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: !f.Asc})
	}
	return query.List[model.Pipeline](q, p)
}

func (f PipelineFilter) narrow(q *gorm.DB, projectID int64) *gorm.DB {
	if f.Source != "parent_pipeline" {
		q = q.Where("NOT child")
	}
	switch f.Scope {
	case "running", "pending":
		q = q.Where("status = ?", f.Scope)
	case "finished":
		q = q.Where("status IN ('success', 'failed', 'canceled')")
	case "branches":
		q = q.Where("id IN (SELECT max(id) FROM pipelines WHERE project_id = ? AND NOT child AND NOT tag GROUP BY ref)", projectID)
	case "tags":
		q = q.Where("id IN (SELECT max(id) FROM pipelines WHERE project_id = ? AND NOT child AND tag GROUP BY ref)", projectID)
	}
	for column, value := range map[string]string{"status": f.Status, "source": f.Source, "ref": f.Ref, "sha": f.SHA, "name": f.Name} {
		if value != "" {
			q = q.Where(column+" = ?", value)
		}
	}
	if f.ScheduleID != 0 {
		q = q.Where("schedule_id = ?", f.ScheduleID)
	}
	if f.Username != "" {
		q = q.Where("user_id IN (SELECT id FROM users WHERE lower(username) = lower(?))", f.Username)
	}
	if f.YamlErrors != nil {
		if *f.YamlErrors {
			q = q.Where("yaml_errors IS NOT NULL")
		} else {
			q = q.Where("yaml_errors IS NULL")
		}
	}
	for condition, at := range map[string]*time.Time{
		"updated_at > ?": f.UpdatedAfter, "updated_at < ?": f.UpdatedBefore, "created_at > ?": f.CreatedAfter,
		"created_at < ?": f.CreatedBefore,
	} {
		if at != nil {
			q = q.Where(condition, at.UTC())
		}
	}
	return q
}

// Details returns the details that are shown with a pipeline: its coverage, whether it has warnings, and its user.
func (s Pipelines) Details(ctx context.Context, row model.Pipeline) (model.PipelineDetails, error) {
	var shown model.PipelineDetails
	var warnings int64
	err := s.db.LongRow(ctx,
		"SELECT avg(coverage), coalesce(sum(CASE WHEN allow_failure AND status IN ('failed', 'canceled') THEN 1 ELSE 0 END), 0) "+
			"FROM jobs WHERE pipeline_id = ? AND NOT retried", []any{row.ID}, &shown.Coverage, &warnings)
	if shown.Warned = warnings > 0; err != nil || row.UserID == nil {
		return shown, query.Translate(err)
	}
	user, err := Users(s).Get(ctx, *row.UserID)
	if IsNotFound(err) {
		return shown, nil
	}
	shown.User = &user
	return shown, err
}

// Rename sets or removes the name of a pipeline.
func (s Pipelines) Rename(ctx context.Context, id int64, name *string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Pipeline{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"name": name, "updated_at": query.Now()}).Error)
}

// Delete removes a pipeline with its jobs, unless it was changed after the given time.
func (s Pipelines) Delete(ctx context.Context, p model.Pipeline, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, p, pipeline, unchangedSince)
}
