package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

// CommitStatusFilter narrows a list of statuses.
type CommitStatusFilter struct {
	Ref, Name string
	Jobs      bool // also jobs of the pipelines of the commit
	All       bool // also statuses and jobs that a later one with the same name has replaced
	Desc      bool
}

// The kinds of statuses in a list.
const (
	reportedStatus = "reported"
	jobStatus      = "job"
)

// statusKey names a status or a job.
type statusKey struct {
	Kind string
	ID   int64
}

// List returns one page of the statuses of a commit with their authors, ordered by id.
func (s CommitStatuses) List(
	ctx context.Context, projectID int64, commit string, f CommitStatusFilter, p Page,
) ([]model.CommitStatusRow, Total, error) {
	text, args := f.part("SELECT '"+reportedStatus+"' AS kind, t.id FROM commit_statuses t",
		"t.project_id = ? AND t.commit_id = ?", "t.ref, t.name", projectID, commit)
	if f.Jobs {
		jobs, more := f.part("SELECT '"+jobStatus+"' AS kind, t.id FROM pipelines p JOIN jobs t ON t.pipeline_id = p.id",
			"p.project_id = ? AND p.sha = ? AND NOT p.child", "t.ref, t.tag, t.name", projectID, commit)
		text, args = text+" UNION ALL "+jobs, append(args, more...)
	}
	order := "id, kind"
	if f.Desc {
		order = "id DESC, kind DESC"
	}
	q := s.db.Read(ctx).Table("(?) AS statuses", s.db.Read(ctx).Raw(text, args...)).Order(order)
	keys, total, err := query.ListFiltered[statusKey](q, p)
	if err != nil {
		return nil, total, err
	}
	rows, err := s.load(ctx, keys)
	return rows, total, err
}

// part returns the query for one kind of statuses. selection names their table t; last names the columns of which only
// the newest row is listed.
func (f CommitStatusFilter) part(selection, where, last string, projectID int64, commit string) (string, []any) {
	_, from, _ := strings.Cut(selection, " FROM ")
	text, args := selection+" WHERE "+where, []any{projectID, commit}
	if f.Ref != "" {
		text, args = text+" AND t.ref = ?", append(args, f.Ref)
	}
	if f.Name != "" {
		text, args = text+" AND t.name = ?", append(args, f.Name)
	}
	if !f.All {
		text += " AND t.id IN (SELECT max(t.id) FROM " + from + " WHERE " + where + " GROUP BY " + last + ")"
		args = append(args, projectID, commit)
	}
	return text, args
}

// load reads statuses and jobs in the order of their keys, in one statement for each kind and one for the users.
func (s CommitStatuses) load(ctx context.Context, keys []statusKey) ([]model.CommitStatusRow, error) {
	ids := map[string][]int64{}
	for _, key := range keys {
		ids[key.Kind] = append(ids[key.Kind], key.ID)
	}
	found := make(map[statusKey]model.CommitStatusRow, len(keys))
	if some := ids[reportedStatus]; len(some) > 0 {
		rows, err := query.Find[model.CommitStatus](s.db.Read(ctx).Where("id IN ?", some), len(some))
		if err != nil {
			return nil, query.Translate(err)
		}
		for _, row := range rows {
			found[statusKey{reportedStatus, row.ID}] = model.CommitStatusRow{CommitStatus: row}
		}
	}
	if some := ids[jobStatus]; len(some) > 0 {
		const columns = "id, project_id, pipeline_id, user_id, name, ref, status, allow_failure, coverage, created_at, " +
			"started_at, finished_at"
		rows, err := query.Find[model.Job](s.db.Read(ctx).Select(columns).Where("id IN ?", some), len(some))
		if err != nil {
			return nil, query.Translate(err)
		}
		for _, row := range rows {
			found[statusKey{jobStatus, row.ID}] = statusOfJob(row)
		}
	}
	rows := make([]model.CommitStatusRow, 0, len(keys))
	for _, key := range keys {
		if row, ok := found[key]; ok { // otherwise it was deleted meanwhile
			rows = append(rows, row)
		}
	}
	return rows, s.addAuthors(ctx, rows)
}

// statusOfJob returns a job as a status.
func statusOfJob(j model.Job) model.CommitStatusRow {
	row := model.CommitStatusRow{PipelineID: &j.PipelineID, AllowFailure: j.AllowFailure, CommitStatus: model.CommitStatus{
		ID: j.ID, ProjectID: j.ProjectID, Ref: j.Ref, Name: j.Name, Status: j.Status, Coverage: j.Coverage,
		CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt,
	}}
	if j.UserID != nil {
		row.AuthorID = *j.UserID
	}
	return row
}

// addAuthors adds the users who reported statuses or started jobs.
func (s CommitStatuses) addAuthors(ctx context.Context, rows []model.CommitStatusRow) error {
	wanted := map[int64]bool{}
	for _, row := range rows {
		if row.AuthorID != 0 {
			wanted[row.AuthorID] = true
		}
	}
	people, err := Users(s).shown(ctx, wanted)
	for i := range rows {
		if u := people[rows[i].AuthorID]; u != nil {
			rows[i].Author = *u
		}
	}
	return err
}
