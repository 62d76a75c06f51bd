package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// PendingGroup identifies pending jobs of a project that need the same runners. JobID is the oldest of them.
type PendingGroup struct {
	ProjectID int64
	Tags      string // as JSON
	Protected bool
	JobID     int64
}

// pendingGroups skips through the index from one group to the next, so that ten thousand pending jobs cost no more than
// the number of their groups. Each group is identified by its oldest job.
const pendingGroups = `WITH RECURSIVE heads (job_id, n) AS (
	SELECT (SELECT job_id FROM pending_jobs WHERE project_id >= ` + opaqueNumber + ` ORDER BY project_id, tags,
			protected, job_id LIMIT 1), 1
	UNION ALL
	SELECT coalesce(
		(SELECT x.job_id FROM pending_jobs x WHERE x.project_id = p.project_id AND x.tags = p.tags
			AND x.protected > p.protected ORDER BY x.protected, x.job_id LIMIT 1),
		(SELECT x.job_id FROM pending_jobs x WHERE x.project_id = p.project_id AND x.tags > p.tags ORDER BY x.tags,
			x.protected, x.job_id LIMIT 1),
		(SELECT x.job_id FROM pending_jobs x WHERE x.project_id > p.project_id ORDER BY x.project_id, x.tags,
			x.protected, x.job_id LIMIT 1)), h.n + 1
	FROM heads h JOIN pending_jobs p ON p.job_id = h.job_id WHERE h.n < ` + opaqueNumber + `)
	SELECT p.project_id, p.tags, p.protected, p.job_id FROM heads h JOIN pending_jobs p ON p.job_id = h.job_id`

// PendingGroups lists groups of pending jobs, of the projects whose id is at least from.
func (s Jobs) PendingGroups(ctx context.Context, from int64, most int) ([]PendingGroup, error) {
	var groups []PendingGroup
	err := s.db.LongRows(ctx, pendingGroups, []any{from, most}, func(row query.Scanner) error {
		var g PendingGroup
		err := row.Scan(&g.ProjectID, &g.Tags, &g.Protected, &g.JobID)
		groups = append(groups, g)
		return err
	})
	return groups, query.Translate(err)
}

// QueueProject is a project that a runner serves, with the number of its running jobs.
type QueueProject struct {
	ID      int64
	Running int64 // running jobs; for an instance runner, only those on instance runners
}

// ForRunner returns those of the given projects that a runner serves, with the number of their running jobs.
func (s Jobs) ForRunner(ctx context.Context, r model.Runner, projectIDs []int64) ([]QueueProject, error) {
	in := s.inIDs(projectIDs)
	of := ""
	if r.RunnerType == model.InstanceRunner {
		of = " AND j.runner_id IN (SELECT id FROM runners WHERE runner_type = 'instance_type')"
	}
	statement := "SELECT projects.id, " +
		"(SELECT count(*) FROM jobs j WHERE j.project_id = projects.id AND j.status = 'running' AND NOT j.bridge" +
		of +
		") FROM projects WHERE projects.id " + in.text
	switch r.RunnerType {
	case model.InstanceRunner:
		statement += " AND projects.shared_runners_enabled"
	case model.GroupRunner:
		statement += ` AND projects.group_runners_enabled AND EXISTS (SELECT 1 FROM namespace_ancestors a
			WHERE a.descendant_id = projects.namespace_id AND a.ancestor_id = ?)`
		in.args = append(in.args, r.GroupID)
	default:
		statement += " AND EXISTS (SELECT 1 FROM runner_projects x WHERE x.project_id = projects.id AND x.runner_id = ?)"
		in.args = append(in.args, r.ID)
	}
	var rows []QueueProject
	err := s.db.LongRows(ctx, statement, in.args, func(row query.Scanner) error {
		var p QueueProject
		err := row.Scan(&p.ID, &p.Running)
		rows = append(rows, p)
		return err
	})
	return rows, query.Translate(err)
}

// QueueMark returns the highest mark among the pending jobs: that of the job that was queued last. It is 0 if no job is
// pending.
func (s Jobs) QueueMark(ctx context.Context) (int64, error) {
	var mark int64
	err := s.db.Row(ctx, "SELECT coalesce(max(mark), 0) FROM pending_jobs", nil, &mark)
	return mark, query.Translate(err)
}

// ByToken returns the job whose token has this digest, whatever its status.
func (s Jobs) ByToken(ctx context.Context, digest string) (model.Job, error) {
	return s.one(ctx, "j.digest = ?", digest)
}

// ByTokenWithUserState returns the job whose token has this digest, whatever its status, and the state of the user that it runs for.
// The state is empty if the account was deleted.
func (s Jobs) ByTokenWithUserState(ctx context.Context, digest string) (model.Job, model.UserState, error) {
	var j model.Job
	var state model.UserState
	statement := "SELECT " + jobColumns + ", coalesce(u.state, '') FROM jobs j LEFT JOIN users u ON u.id = j.user_id WHERE j.digest = ?"
	err := s.db.Row(ctx, statement, []any{digest}, append(jobFields(&j), &state)...)
	return j, state, query.Translate(err, job)
}

// MarkContacted stores the time at which a runner last sent something about a running job.
func (s Jobs) MarkContacted(ctx context.Context, id int64, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ? AND status IN ('running', 'canceling')", id).
		UpdateColumn("contacted_at", at).Error)
}

// PlayVariables returns the variables that a user passed to a manual job when they started it.
func (s Jobs) PlayVariables(ctx context.Context, id int64) ([]model.JobVariable, error) {
	var rows []model.JobVariable
	err := s.db.Rows(ctx, "SELECT key, value FROM job_variables WHERE job_id = ? ORDER BY key", []any{id}, func(row query.Scanner) error {
		v := model.JobVariable{JobID: id}
		err := row.Scan(&v.Key, &v.Value)
		rows = append(rows, v)
		return err
	})
	return rows, query.Translate(err)
}

// RootNamespace returns the top-level ancestor of a namespace.
func (s Jobs) RootNamespace(ctx context.Context, namespaceID int64) (int64, error) {
	var id int64
	err := s.db.Row(
		ctx, "SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ? ORDER BY depth DESC LIMIT 1",
		[]any{namespaceID}, &id,
	)
	return id, query.Translate(err, namespace)
}
