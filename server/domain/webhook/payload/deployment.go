package payload

import (
	"time"

	"svc/store/model"
)

// DeploymentInput is what the body of a deployment is made of.
type DeploymentInput struct {
	Project    model.Project
	Deployment model.DeploymentRow // with its environment, and with its job and pipeline if it has a job
	User       *model.User         // who deploys; nil if deleted
	ChangedAt  time.Time           // when the status changed
}

// Deployment is the body of a deployment.
type Deployment struct {
	ObjectKind             string  `json:"object_kind"`
	Status                 string  `json:"status"`
	StatusChangedAt        string  `json:"status_changed_at"`
	DeploymentID           int64   `json:"deployment_id"`
	DeployableID           *int64  `json:"deployable_id"`
	DeployableURL          *string `json:"deployable_url"`
	Environment            string  `json:"environment"`
	EnvironmentTier        string  `json:"environment_tier"`
	EnvironmentSlug        string  `json:"environment_slug"`
	EnvironmentExternalURL *string `json:"environment_external_url"`
	Project                Project `json:"project"`
	ShortSHA               string  `json:"short_sha"`
	User                   *User   `json:"user"`
	UserURL                *string `json:"user_url"`
	CommitURL              *string `json:"commit_url"`
	CommitTitle            *string `json:"commit_title"`
	Ref                    string  `json:"ref"`
}

// shortID is how many characters of a commit id bodies show.
const shortID = 8

// DeploymentSends reports whether a deployment that gets a status sends a hook.
func DeploymentSends(status string) bool {
	switch status {
	case "running", "success", "failed", "canceled", "blocked":
		return true
	}
	return false
}

// Deployment builds the body of a deployment.
func (i Instance) Deployment(in DeploymentInput) Deployment {
	d, environment, sha := in.Deployment.Deployment, in.Deployment.Environment, in.Deployment.SHA()
	body := Deployment{
		ObjectKind: "deployment", Status: d.Status, StatusChangedAt: in.ChangedAt.UTC().Format(zonedTime), DeploymentID: d.ID,
		Environment: environment.Name, EnvironmentTier: environment.Tier, EnvironmentSlug: environment.Slug,
		EnvironmentExternalURL: environment.ExternalURL, Project: i.project(in.Project), ShortSHA: sha[:min(shortID, len(sha))],
		User: i.userOrNull(in.User), CommitURL: new(i.commitURL(in.Project, sha)), Ref: in.Deployment.Ref(),
	}
	if row := in.Deployment.Job; row != nil {
		body.DeployableID = &row.Job.ID
		if !row.Job.Bridge {
			body.DeployableURL = new(i.page(in.Project, "jobs", row.Job.ID))
		}
	}
	if in.User != nil {
		body.UserURL = new(i.userURL(*in.User))
	}
	if c := readCommit(in.Deployment.CommitData()); c != nil {
		body.CommitTitle = new(c.Title())
	}
	return body
}
