package model

import "time"

// Pipeline is the jobs that one event of a project brings.
type Pipeline struct {
	ID            int64
	ProjectID     int64
	IID           int64 `gorm:"column:iid"`
	UserID        *int64
	Ref           string // short name of the branch or tag
	Tag           bool
	Protected     bool   // the ref was, when the pipeline was made
	SHA           string `gorm:"column:sha"`
	BeforeSHA     string `gorm:"column:before_sha"`
	CommitData    string // git.Commit as JSON
	Source        string
	Status        string
	Name          *string
	YamlErrors    *string
	FailureReason *string
	Stages        string // names in order, as JSON
	OnNewCommit   string // workflow:auto_cancel
	OnJobFailure  string
	Origin        *string // what it was made for, if it must not be made twice for that
	ScheduleID    *int64
	UpstreamJobID *int64 // the bridge that started it
	Child         bool   // of a pipeline of the same project
	Depth         int64  // how many pipelines led to it
	Duration      *int64 // seconds that jobs of it ran, once it is done
	CreatedAt     time.Time
	UpdatedAt     time.Time
	StartedAt     *time.Time
	FinishedAt    *time.Time

	MergeRequestID *int64 // that it is for
}

// PipelineVariable is what a pipeline was given when it was made.
type PipelineVariable struct {
	PipelineID   int64  `gorm:"primaryKey;autoIncrement:false"`
	Key          string `gorm:"primaryKey"`
	Value        string
	VariableType string
	Raw          bool
}

// ProjectCounter is the last number that was given within a project.
type ProjectCounter struct {
	ProjectID int64  `gorm:"primaryKey;autoIncrement:false"`
	Name      string `gorm:"primaryKey"`
	Last      int64
}

// PipelineShown is what is shown beside a pipeline.
type PipelineShown struct {
	User     *User    // who started it; nil if they are gone
	Coverage *float64 // the mean of its jobs; nil if none has any
	Warned   bool     // a job that may fail did
}
