package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

// JobFilter narrows a list of jobs.
type JobFilter struct {
	ProjectID  int64
	PipelineID int64 // 0 for all
	Bridges    bool  // bridges instead of jobs
	Retried    bool  // also retried jobs
	Scope      []string
	Before     int64 // only jobs with a lower id; 0 for all
}

// where returns the condition for jobs with a status, or with any status if it is empty.
func (f JobFilter) where(status string) condition {
	c := condition{"project_id = " + opaqueNumber, []any{f.ProjectID}}
	if f.PipelineID != 0 {
		c = condition{"pipeline_id = ? AND project_id = ?", []any{f.PipelineID, f.ProjectID}}
	}
	if f.Bridges {
		c.text += " AND bridge"
	} else {
		c.text += " AND NOT bridge"
	}
	if !f.Retried {
		c.text += " AND NOT retried"
	}
	if status != "" {
		c.text, c.args = c.text+" AND status = "+opaqueText, append(c.args, status)
	}
	if f.Before != 0 {
		c.text, c.args = c.text+" AND id < ?", append(c.args, f.Before)
	}
	return c
}

// ids returns a query for the newest ids of a list, up to a limit. It walks along the index once for each status and
// combines the results, so that a rare status need not be searched for among all jobs.
func (f JobFilter) ids(limit condition) condition {
	scope := slices.Compact(slices.Sorted(slices.Values(f.Scope)))
	if len(scope) == 0 {
		scope = []string{""}
	}
	var parts []string
	var all condition
	for _, status := range scope {
		c := f.where(status)
		parts = append(parts, "SELECT id FROM (SELECT id FROM jobs WHERE "+c.text+" ORDER BY id DESC LIMIT "+limit.text+") AS part")
		all.args = append(append(all.args, c.args...), limit.args...)
	}
	all.text = strings.Join(parts, " UNION ALL ")
	return all
}

// List returns one page of jobs, newest first, and their number.
func (s Jobs) List(ctx context.Context, f JobFilter, p Page) ([]model.JobRow, Total, error) {
	rows, err := s.rows(ctx, f, p.Limit+1, p.Offset)
	if err != nil {
		return nil, Total{}, err
	}
	rows, t, err := query.WithTotal(rows, p, func() (int64, error) { return s.count(ctx, f) })
	if err != nil {
		return nil, t, err
	}
	return rows, t, s.complete(ctx, rows)
}

// ListUncounted is List without a total, for lists that may be very long. The Total only says whether there are more.
func (s Jobs) ListUncounted(ctx context.Context, f JobFilter, p Page) ([]model.JobRow, Total, error) {
	rows, err := s.rows(ctx, f, p.Limit+1, p.Offset)
	if err != nil {
		return nil, Total{}, err
	}
	t := Total{More: len(rows) > p.Limit}
	if t.More {
		rows = rows[:p.Limit]
	}
	return rows, t, s.complete(ctx, rows)
}

// count counts the jobs of a list, up to one more than CountCap.
func (s Jobs) count(ctx context.Context, f JobFilter) (n int64, err error) {
	ids := f.ids(condition{text: strconv.Itoa(CountCap + 1)})
	err = s.db.LongRow(
		ctx,
		"SELECT count(*) FROM (SELECT id FROM ("+ids.text+") AS every LIMIT ?) AS counted",
		append(ids.args, CountCap+1),
		&n,
	)
	return n, query.Translate(err)
}

// Before returns one page of the jobs with ids lower than f.Before, newest first, and reports whether there are more.
func (s Jobs) Before(ctx context.Context, f JobFilter, limit int) ([]model.JobRow, bool, error) {
	rows, err := s.rows(ctx, f, limit+1, 0)
	if err != nil {
		return nil, false, err
	}
	more := len(rows) > limit
	if more {
		rows = rows[:limit]
	}
	return rows, more, s.complete(ctx, rows)
}

// GetRow returns one job or bridge with its pipeline, user, runner and files.
func (s Jobs) GetRow(ctx context.Context, id int64) (model.JobRow, error) {
	rows := make([]model.JobRow, 1)
	dest := append(jobFields(&rows[0].Job), pipelineFields(&rows[0].Pipeline)...)
	statement := "SELECT " + jobColumns + ", " + pipelineColumns +
		" FROM jobs AS j JOIN pipelines AS p ON p.id = j.pipeline_id WHERE j.id = ?"
	if err := s.db.Row(ctx, statement, []any{id}, dest...); err != nil {
		return rows[0], query.Translate(err, job)
	}
	return rows[0], s.complete(ctx, rows)
}

// rows reads jobs with their pipelines.
func (s Jobs) rows(ctx context.Context, f JobFilter, limit, offset int) ([]model.JobRow, error) {
	most, skip := condition{text: strconv.Itoa(limit)}, condition{}
	if offset > 0 {
		most, skip = condition{opaqueNumber, []any{offset + limit}}, condition{" OFFSET " + opaqueNumber, []any{offset}}
	}
	ids := f.ids(most)
	from := "(SELECT id FROM (" + ids.text + ") AS every ORDER BY id DESC LIMIT " + strconv.Itoa(limit) + skip.text + ") AS found" +
		" JOIN jobs AS j ON j.id = found.id JOIN pipelines AS p ON p.id = j.pipeline_id ORDER BY j.id DESC"
	columns, rest := shownJobColumns+", "+pipelineColumns, condition{from, append(ids.args, skip.args...)}
	return readRows(ctx, s.base, columns, rest, limit, func(row *model.JobRow) []any {
		return append(shownJobFields(&row.Job), pipelineFields(&row.Pipeline)...)
	})
}

// complete adds users, runners, files and the pipelines that bridges started, with one query each.
func (s Jobs) complete(ctx context.Context, rows []model.JobRow) error {
	users, runners, managers, started := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	note := func(set map[int64]bool, id *int64) {
		if id != nil {
			set[*id] = true
		}
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].Job.ID
		note(users, rows[i].Job.UserID)
		note(runners, rows[i].Job.RunnerID)
		note(managers, rows[i].Job.RunnerManagerID)
		note(started, rows[i].Job.DownstreamID)
	}
	u, err := Users(s).shown(ctx, users)
	if err != nil {
		return err
	}
	r, err := byID(ctx, s.base, runners, func(r *model.Runner) int64 { return r.ID })
	if err != nil {
		return err
	}
	m, err := byID(ctx, s.base, managers, func(m *model.RunnerManager) int64 { return m.ID })
	if err != nil {
		return err
	}
	d, err := byID(ctx, s.base, started, func(p *model.Pipeline) int64 { return p.ID })
	if err != nil {
		return err
	}
	places := map[int64]bool{}
	for _, p := range d {
		places[p.ProjectID] = true
	}
	paths, err := byID(ctx, s.base, places, func(p *model.Project) int64 { return p.ID })
	if err != nil {
		return err
	}
	files, err := JobArtifacts(s).OfJobs(ctx, ids)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		row.Artifacts = files[row.Job.ID]
		row.User, row.Runner = of(u, row.Job.UserID), of(r, row.Job.RunnerID)
		row.Manager, row.Downstream = of(m, row.Job.RunnerManagerID), of(d, row.Job.DownstreamID)
		if row.Downstream != nil && paths[row.Downstream.ProjectID] != nil {
			row.DownstreamPath = paths[row.Downstream.ProjectID].FullPath
		}
	}
	return nil
}

// byID reads the rows with the given ids.
func byID[T any](ctx context.Context, b *base, wanted map[int64]bool, id func(*T) int64) (map[int64]*T, error) {
	found := make(map[int64]*T, len(wanted))
	if len(wanted) == 0 {
		return found, nil
	}
	ids := make([]int64, 0, len(wanted))
	for one := range wanted {
		ids = append(ids, one)
	}
	rows, err := query.Find[T](b.db.Read(ctx).Where("id IN ?", ids), len(ids))
	for i := range rows {
		found[id(&rows[i])] = &rows[i]
	}
	return found, query.Translate(err)
}

func of[T any](found map[int64]*T, id *int64) *T {
	if id == nil {
		return nil
	}
	return found[*id]
}

// byIDs returns jobs by their ids, with all that List returns for them.
func (s Jobs) byIDs(ctx context.Context, ids []int64) (map[int64]*model.JobRow, error) {
	jobs, err := query.Find[model.Job](s.db.Read(ctx).Where("id IN ?", append(ids, 0)), len(ids))
	if err != nil {
		return nil, query.Translate(err)
	}
	wanted := map[int64]bool{}
	for i := range jobs {
		wanted[jobs[i].PipelineID] = true
	}
	pipelines, err := byID(ctx, s.base, wanted, func(p *model.Pipeline) int64 { return p.ID })
	if err != nil {
		return nil, err
	}
	rows := make([]model.JobRow, len(jobs))
	found := make(map[int64]*model.JobRow, len(jobs))
	for i := range jobs {
		rows[i].Job = jobs[i]
		if p := pipelines[jobs[i].PipelineID]; p != nil {
			rows[i].Pipeline = *p
		}
		found[jobs[i].ID] = &rows[i]
	}
	return found, s.complete(ctx, rows)
}
