package store

import (
	"context"
	"slices"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// JobMove is a change of a job's status. Fields with a zero value stay as they are.
type JobMove struct {
	Status        string
	UserID        int64
	FailureReason string
	QueuedAt      time.Time
	ScheduledAt   time.Time
	StartedAt     time.Time
	FinishedAt    time.Time
	AllowFailure  bool // the job may fail
	Reset         bool // the job waits again; its old times are cleared
}

func (m JobMove) columns(at time.Time) map[string]any {
	set := map[string]any{"status": m.Status, "updated_at": at}
	if m.Reset {
		for _, column := range []string{"queued_at", "scheduled_at", "started_at", "finished_at", "failure_reason"} {
			set[column] = nil
		}
	}
	for column, at := range map[string]time.Time{
		"queued_at": m.QueuedAt, "scheduled_at": m.ScheduledAt, "started_at": m.StartedAt, "finished_at": m.FinishedAt,
	} {
		if !at.IsZero() {
			set[column] = at
		}
	}
	if m.UserID != 0 {
		set["user_id"] = m.UserID
	}
	if m.FailureReason != "" {
		set["failure_reason"] = m.FailureReason
	}
	if m.AllowFailure {
		set["allow_failure"] = true
	}
	return set
}

// Move changes jobs of a pipeline that the caller has locked, and updates the list of jobs that wait for a runner.
func (s Jobs) Move(ctx context.Context, moves map[JobMove][]int64) error {
	var waiting, others []int64
	for move, ids := range moves {
		for some := range slices.Chunk(ids, someRows) {
			if err := s.db.Write(ctx).Model(&model.Job{}).Where("id IN ?", some).UpdateColumns(move.columns(s.now())).Error; err != nil {
				return query.Translate(err)
			}
		}
		if move.Status == "pending" {
			waiting = append(waiting, ids...)
		} else {
			others = append(others, ids...)
		}
	}
	for some := range slices.Chunk(others, someRows) {
		if err := s.db.Write(ctx).Where("job_id IN ?", some).Delete(&model.PendingJob{}).Error; err != nil {
			return query.Translate(err)
		}
	}
	for some := range slices.Chunk(waiting, someRows) {
		if err := s.enqueue(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// enqueue adds jobs to the list of jobs that wait for a runner. Bridges are left out, because no runner runs them.
func (s Jobs) enqueue(ctx context.Context, ids []int64) error {
	return query.Translate(s.db.Write(ctx).Exec(`INSERT INTO pending_jobs (job_id, project_id, tags, protected)
		SELECT id, project_id, tags, protected FROM jobs WHERE id IN ? AND NOT bridge ON CONFLICT DO NOTHING`, ids).Error)
}

// Replace adds a job that retries an old one.
func (s Jobs) Replace(ctx context.Context, old int64, job *model.Job) error {
	err := s.db.Write(ctx).Model(&model.Job{}).
		Where("id = ?", old).UpdateColumns(map[string]any{"retried": true, "updated_at": s.now()}).Error
	if err != nil {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Create(job).Error)
}

// Claim is the assignment of a job to a runner.
type Claim struct {
	JobID     int64
	RunnerID  int64
	ManagerID *int64
	Digest    string // of the job's token
	Timeout   int64  // seconds
	Deploys   bool   // the job has an environment
	Debug     bool   // its log may hold secrets
}

// Claim gives a waiting job to a runner. It returns false if the job is no longer waiting. The caller has locked the
// pipeline.
func (s Jobs) Claim(ctx context.Context, c Claim) (bool, error) {
	at := s.now()
	set := map[string]any{
		"status": "running", "runner_id": c.RunnerID, "runner_manager_id": c.ManagerID, "digest": c.Digest, "timeout": c.Timeout,
		"started_at": at, "contacted_at": at, "updated_at": at, "deadline_at": at.Add(time.Duration(c.Timeout) * time.Second),
	}
	if c.Debug {
		set["debug"] = true
	}
	res := s.db.Write(ctx).Model(&model.Job{}).Where("id = ? AND status = 'pending'", c.JobID).UpdateColumns(set)
	if res.Error != nil || res.RowsAffected == 0 {
		return false, query.Translate(res.Error)
	}
	return true, query.Translate(s.db.Write(ctx).Where("job_id = ?", c.JobID).Delete(&model.PendingJob{}).Error)
}

// AddVariables stores the variables that a user gave to a job when they played it.
func (s Jobs) AddVariables(ctx context.Context, rows []model.JobVariable) error {
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(&rows, someRows).Error)
}

// OpenJob is an unfinished job and its pipeline.
type OpenJob struct {
	ID         int64
	PipelineID int64
}

// TableName returns the table that GORM reads the rows from.
func (OpenJob) TableName() string { return "jobs" }

// Overdue returns at most the given number of jobs that were queued, contacted or scheduled before the given times, or
// are past their deadline.
func (s Jobs) Overdue(ctx context.Context, queued, contacted, scheduled time.Time, most int) ([]OpenJob, error) {
	rows, err := query.Find[OpenJob](s.db.Read(ctx).Select("id, pipeline_id").Where(`status = 'pending' AND queued_at < ?
		OR status IN ('running', 'canceling') AND (contacted_at < ? OR deadline_at < ?)
		OR status = 'scheduled' AND scheduled_at < ?`, queued, contacted, s.now(), scheduled).Order("id").Limit(most), most)
	return rows, query.Translate(err)
}

// WaitingForResource returns the unfinished jobs of a resource group, the oldest first.
func (s Jobs) WaitingForResource(ctx context.Context, projectID int64, key string) ([]model.Job, error) {
	rows, err := query.Find[model.Job](s.db.Write(ctx).Where(`project_id = ? AND resource_group = ? AND NOT retried
		AND status IN ('created', 'manual', 'scheduled', 'waiting_for_resource', 'preparing', 'pending', 'running', 'canceling')`,
		projectID, key).Order("id"), 1)
	return rows, query.Translate(err)
}

// LockResource locks a resource group, so that transactions which assign it wait for each other. It returns the process
// mode of the group.
func (s Jobs) LockResource(ctx context.Context, projectID int64, key string) (string, error) {
	row := model.ResourceGroup{ProjectID: projectID, Key: key, ProcessMode: "unordered"}
	err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
	if err != nil {
		return "", query.Translate(err)
	}
	q := s.db.Write(ctx).Where("project_id = ? AND key = ?", projectID, key)
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	row, err = query.Take[model.ResourceGroup](q, "ResourceGroup")
	return row.ProcessMode, err
}

// SetResult stores the exit code and the coverage that a runner reports at the end of a job.
func (s Jobs) SetResult(ctx context.Context, id int64, exitCode *int, coverage *float64) error {
	if exitCode == nil && coverage == nil {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"exit_code": exitCode, "coverage": coverage}).Error)
}

// SetAllowFailure stores whether a job may fail, when that depends on its result.
func (s Jobs) SetAllowFailure(ctx context.Context, id int64, allowed bool) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", id).UpdateColumn("allow_failure", allowed).Error)
}

// SetDownstream stores the pipeline that a bridge has started.
func (s Jobs) SetDownstream(ctx context.Context, id, pipelineID int64, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"downstream_id": pipelineID, "started_at": at}).Error)
}

// GrantResource assigns a resource group to a job that waits for it. It returns false if the job no longer waits.
func (s Jobs) GrantResource(ctx context.Context, id int64, at time.Time) (bool, error) {
	res := s.db.Write(ctx).Model(&model.Job{}).Where("id = ? AND status = 'waiting_for_resource'", id).
		UpdateColumns(map[string]any{"status": "pending", "queued_at": at, "updated_at": at})
	if res.Error != nil || res.RowsAffected == 0 {
		return false, query.Translate(res.Error)
	}
	return true, s.enqueue(ctx, []int64{id})
}

// SetEnvironmentURL stores the URL of the environment of a job.
func (s Jobs) SetEnvironmentURL(ctx context.Context, id int64, url string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", id).UpdateColumn("environment_url", url).Error)
}
