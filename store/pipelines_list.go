package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
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

// pipelineListed names the columns that List reads. pipelineListedFields returns the destinations in the same order.
const pipelineListed = "id, iid, project_id, sha, ref, status, source, created_at, updated_at, name"

func pipelineListedFields(p *model.Pipeline) []any {
	return append(make([]any, 0, 11),
		&p.ID, &p.IID, &p.ProjectID, &p.SHA, &p.Ref, &p.Status, &p.Source, &p.CreatedAt, &p.UpdatedAt, &p.Name)
}

// List returns one page of the pipelines of a project, with the columns that lists show. Child pipelines are left out,
// unless the filter asks for the source parent_pipeline.
func (s Pipelines) List(ctx context.Context, projectID int64, f PipelineFilter, p Page) ([]model.Pipeline, Total, error) {
	from := f.where(projectID)
	from.text = "pipelines WHERE " + from.text
	return countedList[model.Pipeline]{
		columns: pipelineListed, from: from, order: f.order(), fields: pipelineListedFields,
	}.page(ctx, s.base, p)
}

// LastOfCommit returns the newest pipeline of a commit, with the columns that lists show, or nil. It ignores child
// pipelines.
func (s Pipelines) LastOfCommit(ctx context.Context, projectID int64, sha string) (*model.Pipeline, error) {
	rest := condition{"pipelines WHERE project_id = ? AND sha = ? AND NOT child ORDER BY id DESC LIMIT 1", []any{projectID, sha}}
	rows, err := readRows(ctx, s.base, pipelineListed, rest, 1, pipelineListedFields)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// order returns the columns by which the list is ordered.
func (f PipelineFilter) order() string {
	direction := " DESC"
	if f.Asc {
		direction = ""
	}
	if f.Order == "" || f.Order == "id" {
		return "id" + direction
	}
	return quotedName(f.Order) + direction + ", id" + direction
}

// newestOfRefs is the beginning of a query for the newest pipeline of each branch or tag. Argument: the project.
const newestOfRefs = "SELECT max(id) FROM pipelines WHERE project_id = ? AND NOT child"

// where returns the condition for the pipelines of the list. It has one text for each set of filters.
func (f PipelineFilter) where(projectID int64) condition {
	c := condition{"project_id = " + opaqueNumber, []any{projectID}}
	if f.Source != "parent_pipeline" {
		c.text += " AND NOT child"
	}
	switch f.Scope {
	case "running", "pending":
		c.and("status = "+opaqueText, f.Scope)
	case "finished":
		c.and("status IN ('success', 'failed', 'canceled')")
	case "branches":
		c.and("id IN ("+newestOfRefs+" AND NOT tag GROUP BY ref)", projectID)
	case "tags":
		c.and("id IN ("+newestOfRefs+" AND tag GROUP BY ref)", projectID)
	}
	for _, one := range [...]struct{ column, value string }{
		{"status", f.Status}, {"source", f.Source}, {"ref", f.Ref}, {"sha", f.SHA}, {"name", f.Name},
	} {
		if one.value != "" {
			c.and(one.column+" = "+opaqueText, one.value)
		}
	}
	if f.ScheduleID != 0 {
		c.and("schedule_id = "+opaqueNumber, f.ScheduleID)
	}
	if f.Username != "" {
		c.and("user_id IN (SELECT id FROM users WHERE lower(username) = lower(?))", f.Username)
	}
	switch {
	case f.YamlErrors == nil:
	case *f.YamlErrors:
		c.and("yaml_errors IS NOT NULL")
	default:
		c.and("yaml_errors IS NULL")
	}
	for _, one := range [...]struct {
		text string
		at   *time.Time
	}{
		{"updated_at > ?", f.UpdatedAfter},
		{"updated_at < ?", f.UpdatedBefore},
		{"created_at > ?", f.CreatedAfter},
		{"created_at < ?", f.CreatedBefore},
	} {
		if one.at != nil {
			c.and(one.text, one.at.UTC())
		}
	}
	return c
}

// countWarnings counts the jobs that were allowed to fail, and did.
const countWarnings = "coalesce(sum(CASE WHEN allow_failure AND status IN ('failed', 'canceled') THEN 1 ELSE 0 END), 0)"

// Details returns the details that are shown with a pipeline: its coverage, whether it has warnings, and its user.
func (s Pipelines) Details(ctx context.Context, row model.Pipeline) (model.PipelineDetails, error) {
	var shown model.PipelineDetails
	var warnings int64
	err := s.db.LongRow(ctx,
		"SELECT avg(coverage), "+countWarnings+" FROM jobs WHERE pipeline_id = ? AND NOT retried", []any{row.ID},
		&shown.Coverage, &warnings)
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
		UpdateColumns(map[string]any{"name": name, "updated_at": s.now()}).Error)
}

// Delete removes a pipeline with its jobs, unless it was changed after the given time.
func (s Pipelines) Delete(ctx context.Context, p model.Pipeline, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, p, pipeline, unchangedSince)
}

// PreviousStatus returns the status of the latest pipeline before p for the same branch or tag that succeeded or failed, or the
// empty string if there is none.
func (s Pipelines) PreviousStatus(ctx context.Context, p model.Pipeline) (string, error) {
	q := s.db.Read(ctx).
		Where("project_id = ? AND ref = ? AND NOT child AND id < ? AND status IN ('success', 'failed')", p.ProjectID, p.Ref, p.ID)
	row, err := query.Take[model.Pipeline](q.Order("id DESC"), pipeline)
	if IsNotFound(err) {
		return "", nil
	}
	return row.Status, err
}

// Variables returns the variables of a pipeline, ordered by key.
func (s Pipelines) Variables(ctx context.Context, id int64) ([]model.PipelineVariable, error) {
	var rows []model.PipelineVariable
	err := s.db.Rows(ctx, "SELECT key, value, variable_type, raw FROM pipeline_variables WHERE pipeline_id = ? ORDER BY key", []any{id},
		func(row query.Scanner) error {
			v := model.PipelineVariable{PipelineID: id}
			err := row.Scan(&v.Key, &v.Value, &v.VariableType, &v.Raw)
			rows = append(rows, v)
			return err
		})
	return rows, query.Translate(err)
}

// Latest returns the newest pipeline of a ref, and of a commit if sha is not empty. Child pipelines do not count.
func (s Pipelines) Latest(ctx context.Context, projectID int64, ref, sha string) (model.Pipeline, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND ref = ? AND NOT child", projectID, ref).Order("id DESC")
	if sha != "" {
		q = q.Where("sha = ?", sha)
	}
	return query.Take[model.Pipeline](q, pipeline)
}

// Family returns a pipeline and the upstream pipelines that led to it, the nearest first, at most deepest levels up. It
// also returns how many pipelines the topmost of them has started directly or indirectly, itself included. It counts no
// further than most.
func (s Pipelines) Family(ctx context.Context, id int64, deepest, most int) ([]model.Pipeline, int, error) {
	above, err := query.Find[model.Pipeline](s.db.Read(ctx).Raw(`WITH RECURSIVE above(pipeline_id, step) AS (
		SELECT CAST(? AS bigint), 0
		UNION ALL
		SELECT j.pipeline_id, above.step + 1 FROM above JOIN pipelines p ON p.id = above.pipeline_id
			JOIN jobs j ON j.id = p.upstream_job_id WHERE above.step < ?
	) SELECT p.* FROM above JOIN pipelines p ON p.id = above.pipeline_id ORDER BY above.step`, id, deepest), deepest)
	if err != nil || len(above) == 0 {
		return above, 0, query.Translate(err)
	}
	var count int
	err = query.ScanFirst(s.db.Read(ctx).Raw(`WITH RECURSIVE below(id) AS (
		SELECT CAST(? AS bigint)
		UNION ALL
		SELECT p.id FROM below JOIN jobs j ON j.pipeline_id = below.id AND j.bridge JOIN pipelines p ON p.upstream_job_id = j.id
	) SELECT count(*) FROM (SELECT 1 FROM below LIMIT ?) AS chosen`, above[len(above)-1].ID, most), &count)
	return above, count, query.Translate(err)
}
