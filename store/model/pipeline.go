package model

import "time"

// Pipeline is the jobs that one event of a project starts.
type Pipeline struct {
	ID            int64
	ProjectID     int64
	IID           int64 `gorm:"column:iid"`
	UserID        *int64
	Ref           string // short name of the branch or tag
	Tag           bool
	Protected     bool   // the ref was protected when the pipeline was created
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
	Origin        *string // what it was created for, if it must not be created twice for that
	ScheduleID    *int64
	UpstreamJobID *int64 // the bridge that started it
	Child         bool   // its parent is a pipeline of the same project
	Depth         int64  // how many pipelines led to it
	Duration      *int64 // seconds during which jobs ran, once it is finished
	CreatedAt     time.Time
	UpdatedAt     time.Time
	StartedAt     *time.Time
	FinishedAt    *time.Time

	MergeRequestID *int64 // the merge request that it is for
	DeployFreeze   bool   // it was created in a freeze period of the project
}

// PipelineVariable is a variable that a pipeline got when it was created.
type PipelineVariable struct {
	PipelineID   int64  `gorm:"primaryKey;autoIncrement:false"`
	Key          string `gorm:"primaryKey"`
	Value        string
	VariableType string
	Raw          bool
}

// ProjectCounter is the last number that was assigned within a project, by the name of the counter.
type ProjectCounter struct {
	ProjectID int64  `gorm:"primaryKey;autoIncrement:false"`
	Name      string `gorm:"primaryKey"`
	Last      int64
}

// PipelineDetails is the data that is shown with a pipeline.
type PipelineDetails struct {
	User     *User    // the user who started it; nil if deleted
	Coverage *float64 // the mean of its jobs; nil if no job reports any
	Warned   bool     // a job that is allowed to fail has failed
}

// PipelineRow is a pipeline with the data that is shown with it.
type PipelineRow struct {
	Pipeline
	PipelineDetails
}
