package model

import "time"

// PipelineSchedule starts pipelines at certain times.
type PipelineSchedule struct {
	ID           int64
	ProjectID    int64
	OwnerID      *int64
	Description  string
	Ref          string
	Cron         string
	CronTimezone string
	NextRunAt    *time.Time
	Active       bool
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// PipelineScheduleVariable is a variable that the pipelines of a schedule get.
type PipelineScheduleVariable struct {
	ScheduleID   int64  `gorm:"primaryKey;autoIncrement:false"`
	Key          string `gorm:"primaryKey"`
	Value        string
	VariableType string
	Raw          bool
}

// PipelineTrigger is a token that starts pipelines for its owner.
type PipelineTrigger struct {
	ID          int64
	ProjectID   int64
	OwnerID     int64
	Description string
	Digest      []byte
	Hint        string // the beginning of the token
	LastUsedAt  *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}
