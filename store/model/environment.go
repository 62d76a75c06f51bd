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

	AutoDeleteAt *time.Time // a stopped environment is deleted then
}

// Deployment is a deployment to an environment, by a job or created by API.
type Deployment struct {
	ID            int64
	IID           int64 `gorm:"column:iid"`
	ProjectID     int64
	EnvironmentID int64
	JobID         *int64 // nil if it was created by API
	Status        string // created, running, success, failed, canceled, skipped or blocked
	CreatedAt     time.Time
	UpdatedAt     time.Time
	FinishedAt    *time.Time

	// Of a deployment that was created by API. The others have those of their jobs.
	UserID     *int64
	Ref        string
	SHA        string `gorm:"column:sha"`
	Tag        bool
	CommitData string // git.Commit as JSON
}

// Finished reports whether the deployment has ended.
func (d Deployment) Finished() bool {
	return d.Status != "created" && d.Status != "running" && d.Status != "blocked"
}

// DeploymentRow is a deployment with the data that is shown with it.
type DeploymentRow struct {
	Deployment  Deployment
	Environment Environment
	Job         *JobRow // nil if it was created by API
	User        *User   // the user who deploys; nil if deleted
}

// Ref returns the branch or tag that is deployed.
func (r DeploymentRow) Ref() string {
	if r.Job != nil {
		return r.Job.Job.Ref
	}
	return r.Deployment.Ref
}

// SHA returns the ID of the commit that is deployed.
func (r DeploymentRow) SHA() string {
	if r.Job != nil {
		return r.Job.Pipeline.SHA
	}
	return r.Deployment.SHA
}

// CommitData returns the commit that is deployed, as JSON.
func (r DeploymentRow) CommitData() string {
	if r.Job != nil {
		return r.Job.Pipeline.CommitData
	}
	return r.Deployment.CommitData
}
