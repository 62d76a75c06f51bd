package model

import "time"

// The states of an environment.
const (
	EnvironmentAvailable = "available"
	EnvironmentStopping  = "stopping"
	EnvironmentStopped   = "stopped"
)

// Environment is a place that jobs deploy to.
type Environment struct {
	ID          int64
	ProjectID   int64
	Name        string
	Slug        string
	Tier        string
	State       string
	ExternalURL *string
	Description *string
	AutoStopAt  *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Deployment is a deployment of a job to an environment.
type Deployment struct {
	ID            int64
	IID           int64 `gorm:"column:iid"`
	ProjectID     int64
	EnvironmentID int64
	JobID         int64
	Status        string // created, running, success, failed, canceled, skipped or blocked
	CreatedAt     time.Time
	UpdatedAt     time.Time
	FinishedAt    *time.Time
}

// DeploymentRow is a deployment with the data that is shown with it.
type DeploymentRow struct {
	Deployment  Deployment
	Environment Environment
	Job         JobRow
}
