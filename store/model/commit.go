package model

import "time"

// The states of a commit status.
const (
	CommitPending  = "pending"
	CommitRunning  = "running"
	CommitSuccess  = "success"
	CommitFailed   = "failed"
	CommitCanceled = "canceled"
	CommitSkipped  = "skipped"
)

// CommitStatus is what another service reports about a commit.
type CommitStatus struct {
	ID          int64
	ProjectID   int64
	CommitID    string
	AuthorID    int64
	Ref         string
	Name        string
	Status      string
	TargetURL   *string
	Description *string
	Coverage    *float64
	CreatedAt   time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time
	Author      User `gorm:"-"`
}

// CommitStatusRow is a status of a commit as lists show it: one that another service has reported, or a job. A job has
// no CommitID, and no author if its user was deleted.
type CommitStatusRow struct {
	CommitStatus
	PipelineID   *int64 // of a job
	AllowFailure bool
}

// Ended reports whether the status is final.
func (s CommitStatus) Ended() bool { return s.Status != CommitPending && s.Status != CommitRunning }
