package model

import "time"

// Job is a job of a pipeline, or a bridge, which starts another pipeline.
type Job struct {
	ID                int64
	ProjectID         int64
	PipelineID        int64
	UserID            *int64
	Bridge            bool
	Name              string
	Stage             string
	StageIndex        int64
	Status            string
	RunWhen           string // on_success, on_failure, always, manual or delayed
	AllowFailure      bool
	Needs             *string // names as JSON; nil for a job that waits for the earlier stages
	Ref               string
	Tag               bool
	Protected         bool
	Tags              string // as JSON, sorted
	Interruptible     bool
	ResourceGroup     *string
	Environment       *string
	EnvironmentAction *string // start, prepare, stop, verify or access
	EnvironmentURL    *string
	StartIn           int64 // seconds that a delayed job waits
	Timeout           int64 // seconds
	Retried           bool  // a newer job has replaced it
	Attempt           int64 // how often it was retried automatically
	RunnerID          *int64
	RunnerManagerID   *int64
	Digest            *string // of its token
	FailureReason     *string
	ExitCode          *int64
	Coverage          *float64
	Debug             bool // its log may contain secrets
	DownstreamID      *int64
	LogSize           int64
	LogSum            int64 // CRC-32 of the log so far
	ArtifactsExpireAt *time.Time
	CreatedAt         time.Time
	UpdatedAt         time.Time
	QueuedAt          *time.Time
	ScheduledAt       *time.Time // when a delayed job is due
	StartedAt         *time.Time
	ContactedAt       *time.Time // when the runner last reported about it
	DeadlineAt        *time.Time // when its timeout ends
	FinishedAt        *time.Time
	ErasedAt          *time.Time
}

// JobSpec is the complete definition of a job in the CI file. Jobs that replace others share it.
type JobSpec struct {
	PipelineID int64  `gorm:"primaryKey;autoIncrement:false"`
	Name       string `gorm:"primaryKey"`
	Spec       string // syntax.Job as JSON
}

// JobVariable is a variable that a user set when they played a job.
type JobVariable struct {
	JobID int64  `gorm:"primaryKey;autoIncrement:false"`
	Key   string `gorm:"primaryKey"`
	Value string
}

// PendingJob is a job that a runner may take.
type PendingJob struct {
	JobID     int64 `gorm:"primaryKey;autoIncrement:false"`
	ProjectID int64
	Tags      string
	Protected bool
	Mark      int64 // increases; written by the database
}

// ResourceGroup is a resource that only one job at a time may use.
type ResourceGroup struct {
	ID          int64
	ProjectID   int64
	Key         string
	ProcessMode string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// JobRow is a job with the data that is shown with it.
type JobRow struct {
	Job            Job
	Pipeline       Pipeline // the columns that jobs show, and the commit
	User           *User
	Runner         *Runner
	Manager        *RunnerManager
	Artifacts      []JobArtifact
	Downstream     *Pipeline // the pipeline that a bridge started
	DownstreamPath string    // full path of the downstream project
}
