package environment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// NewDeployment describes a deployment that another program than a job makes.
type NewDeployment struct {
	Environment string
	SHA, Ref    string
	Tag         bool // Ref is a tag
	Status      string
}

// Deploy records a deployment of the caller, who must be allowed to deploy to a protected environment. The environment is
// created if it does not exist.
func (s *Service) Deploy(ctx context.Context, p model.Project, n NewDeployment) (model.DeploymentRow, error) {
	userID := reqctx.Of(ctx).Actor.User.ID
	if err := checkName(n.Environment); err != nil {
		return model.DeploymentRow{}, err
	}
	if err := s.checkDeploy(ctx, model.Environment{ProjectID: p.ID, Name: n.Environment}, userID); err != nil {
		return model.DeploymentRow{}, err
	}
	commit, err := s.deployedCommit(ctx, p, n)
	if err != nil {
		return model.DeploymentRow{}, err
	}
	data, err := json.Marshal(commit)
	if err != nil {
		return model.DeploymentRow{}, err
	}
	made := []model.Deployment{{
		ProjectID: p.ID, Status: n.Status, FinishedAt: finishedAt(ctx, n.Status), UserID: &userID, Ref: n.Ref, SHA: commit.ID, Tag: n.Tag,
		CommitData: string(data),
	}}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		place := engine.NewEnvironment(p.ID, n.Environment, "")
		ids, err := s.store.Environments.Ensure(ctx, p.ID, []model.Environment{place})
		if err != nil {
			return events.Change{}, err
		}
		made[0].EnvironmentID = ids[n.Environment]
		if err := s.store.Deployments.Create(ctx, made); err != nil {
			return events.Change{}, err
		}
		err = s.engine.RecordDeployment(ctx, made[0])
		return deploymentChange(p, made[0].ID, n.Environment, "deployment_created", "Created deployment"), err
	})
	if err != nil {
		return model.DeploymentRow{}, err
	}
	return s.store.Deployments.Get(ctx, p.ID, made[0].ID)
}

// deployedCommit finds the commit and the ref of a new deployment.
func (s *Service) deployedCommit(ctx context.Context, p model.Project, n NewDeployment) (git.Commit, error) {
	repo, err := s.pusher.Repo(p)
	if err != nil {
		return git.Commit{}, err
	}
	if n.Tag {
		_, err = repo.Ref("refs/tags/" + n.Ref)
	} else {
		_, err = repo.Resolve(ctx, n.Ref)
	}
	if missing(err) {
		return git.Commit{}, apierr.Invalid("ref", "The branch or tag does not exist")
	}
	if err != nil {
		return git.Commit{}, err
	}
	id, err := repo.Resolve(ctx, n.SHA)
	if missing(err) {
		return git.Commit{}, apierr.Invalid("sha", "The commit does not exist")
	}
	if err != nil {
		return git.Commit{}, err
	}
	return repo.Commit(ctx, id)
}

// missing reports whether git does not know a revision.
func missing(err error) bool {
	return errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName)
}

// finishedAt returns when a deployment that gets a status now has ended: nil if it goes on.
func finishedAt(ctx context.Context, status string) *time.Time {
	if !(model.Deployment{Status: status}).Finished() {
		return nil
	}
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	return &now
}

// Move gives a deployment another status on behalf of the caller, who must be allowed to deploy to a protected environment.
func (s *Service) Move(ctx context.Context, p model.Project, row model.DeploymentRow, status string) (model.DeploymentRow, error) {
	d := row.Deployment
	if err := s.checkDeploy(ctx, row.Environment, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return row, err
	}
	if d.JobID != nil {
		return row, apierr.Forbidden("Deployments created using CI can not be updated using the API")
	}
	refused := apierr.Invalid("status", fmt.Sprintf("cannot change from %s to %s", d.Status, status))
	if status == d.Status || status == "running" {
		return row, refused
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		moved, err := s.store.Deployments.Move(ctx, d, status, finishedAt(ctx, status))
		if err == nil && !moved {
			err = refused
		}
		if err != nil {
			return events.Change{}, err
		}
		change := deploymentChange(p, d.ID, row.Environment.Name, "deployment_updated", "Changed deployment")
		change.Field, change.From, change.To = "status", d.Status, status
		d.Status = status
		return change, s.engine.RecordDeployment(ctx, d)
	})
	if err != nil {
		return row, err
	}
	return s.store.Deployments.Get(ctx, p.ID, d.ID)
}

// DeleteDeployment deletes a finished deployment that is not the last successful one of its environment, on behalf of the
// caller, who must be allowed to deploy to a protected environment. With unmodifiedSince, it fails if the deployment has
// changed since then.
func (s *Service) DeleteDeployment(
	ctx context.Context, p model.Project, row model.DeploymentRow, unmodifiedSince *time.Time,
) error {
	if err := s.checkDeploy(ctx, row.Environment, reqctx.Of(ctx).Actor.User.ID); err != nil {
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Deployments.Delete(ctx, row.Deployment, unmodifiedSince, func(now model.Deployment, last bool) error {
			switch {
			case !now.Finished():
				return apierr.Refused("Cannot destroy running deployment")
			case last:
				return apierr.Refused("Deployment currently deployed to environment")
			}
			return nil
		})
		return deploymentChange(p, row.Deployment.ID, row.Environment.Name, "deployment_deleted", "Removed deployment"), err
	})
}

// deploymentChange describes a change of a deployment for the audit events.
func deploymentChange(p model.Project, id int64, environment, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "Deployment", ID: id, Details: environment},
	}
}

// maxDeployedCommits is how many commits of a first deployment are searched for merge requests.
const maxDeployedCommits = 5000

// MergeRequests returns the IDs of the merge requests that a successful deployment brought: those that were merged among the
// commits since the last successful deployment to the same environment before it.
func (s *Service) MergeRequests(ctx context.Context, p model.Project, row model.DeploymentRow) ([]int64, error) {
	if row.Deployment.Status != "success" {
		return []int64{}, nil
	}
	before, err := s.store.Deployments.PreviousSuccessful(ctx, row.Deployment)
	if err != nil {
		return nil, err
	}
	repo, err := s.pusher.Repo(p)
	if err != nil {
		return nil, err
	}
	var commits []string
	if before != nil {
		commits, err = repo.Between(ctx, before.SHA(), row.SHA())
	}
	if before == nil || missing(err) { // the commit before may be gone
		commits, err = repo.Log(ctx, git.LogFilter{From: row.SHA()}, 0, maxDeployedCommits)
	}
	if missing(err) {
		return []int64{}, nil
	}
	if err != nil {
		return nil, err
	}
	return s.store.MergeRequests.MergedWith(ctx, p.ID, commits)
}
