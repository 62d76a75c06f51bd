package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store/model"
)

// planDeployments creates the environments and deployments of the jobs of a new pipeline.
func (w *pipelineTx) planDeployments(ctx context.Context, specs []model.JobSpec) error {
	var jobs []*model.Job
	for i := range w.jobs {
		if w.jobs[i].Environment != nil {
			jobs = append(jobs, &w.jobs[i])
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	texts := make(map[string]string, len(specs))
	for _, spec := range specs {
		texts[spec.Name] = spec.Spec
	}
	return w.createDeployments(ctx, jobs, texts)
}

// createDeployments creates the environments and deployments of jobs. Specs holds their definitions as JSON, by job name.
func (w *pipelineTx) createDeployments(ctx context.Context, jobs []*model.Job, specs map[string]string) error {
	wanted := map[string]model.Environment{}
	for _, j := range jobs {
		var spec syntax.Job
		if err := json.Unmarshal([]byte(specs[j.Name]), &spec); err != nil {
			return fmt.Errorf("read the definition of job %s: %w", j.Name, err)
		}
		tier := ""
		if spec.Environment != nil {
			tier = spec.Environment.DeploymentTier
		}
		if known, ok := wanted[*j.Environment]; !ok || known.Tier == "" {
			wanted[*j.Environment] = NewEnvironment(j.ProjectID, *j.Environment, tier)
		}
	}
	list := make([]model.Environment, 0, len(wanted))
	for _, e := range wanted {
		list = append(list, e)
	}
	ids, err := w.store.Environments.Ensure(ctx, w.pipeline.ProjectID, list)
	if err != nil {
		return err
	}
	var deployments []model.Deployment
	for _, j := range jobs {
		if startsEnvironment(j) {
			deployments = append(deployments, model.Deployment{
				ProjectID: j.ProjectID, EnvironmentID: ids[*j.Environment], JobID: &j.ID, Status: "created",
			})
		}
	}
	if len(deployments) == 0 {
		return nil
	}
	return w.store.Deployments.Create(ctx, deployments)
}

func startsEnvironment(j *model.Job) bool {
	return j.Environment != nil && (j.EnvironmentAction == nil || *j.EnvironmentAction == "start" || *j.EnvironmentAction == "")
}

// NewEnvironment returns an environment with the given name. If tier is empty, it is guessed from the name.
func NewEnvironment(projectID int64, name, tier string) model.Environment {
	if tier == "" {
		tier = variables.EnvironmentTier(name)
	}
	return model.Environment{
		ProjectID: projectID, Name: name, Slug: variables.EnvironmentSlug(name), Tier: tier, State: model.EnvironmentAvailable,
	}
}

// updateDeployments updates deployments and environments to match the jobs that moved.
func (w *pipelineTx) updateDeployments(ctx context.Context) error {
	byState := map[string][]int64{}
	for i := range w.jobs {
		j := &w.jobs[i]
		if _, moved := w.moves[j.ID]; !moved || j.Environment == nil {
			continue
		}
		if startsEnvironment(j) {
			state := deploymentStatus(status.Status(j.Status))
			byState[state] = append(byState[state], j.ID)
		}
		if err := w.updateEnvironment(ctx, j); err != nil {
			return err
		}
	}
	for state, jobs := range byState {
		if err := w.setDeployments(ctx, state, jobs...); err != nil {
			return err
		}
	}
	return nil
}

// setDeployments sets the status of the deployments of jobs.
func (w *pipelineTx) setDeployments(ctx context.Context, state string, jobs ...int64) error {
	var finished *time.Time
	if state == "success" || state == "failed" || state == "canceled" {
		finished = &w.at
	}
	return w.store.Deployments.UpdateByJobs(ctx, state, finished, jobs)
}

// RecordDeployment updates the environment of a deployment without a job that has a new status, and announces the deployment
// to webhooks. The caller has a transaction.
func (e *Engine) RecordDeployment(ctx context.Context, d model.Deployment) error {
	if d.Status == string(status.Success) {
		set := map[string]any{"state": model.EnvironmentAvailable, "auto_delete_at": nil}
		if _, err := e.store.Environments.Update(ctx, d.ProjectID, d.EnvironmentID, set); err != nil {
			return err
		}
	}
	return e.hooks.Deployment(ctx, d.ProjectID, d.ID)
}

// maxURL is the longest allowed URL of an environment, in bytes.
const maxURL = 2048

// IsWebURL reports whether a text is an http or https URL that may be stored as the URL of an environment.
func IsWebURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && len(text) <= maxURL && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// updateEnvironment updates the environment of a job that succeeded.
func (w *pipelineTx) updateEnvironment(ctx context.Context, j *model.Job) error {
	if j.Status != string(status.Success) {
		return nil
	}
	action := "start"
	if j.EnvironmentAction != nil && *j.EnvironmentAction != "" {
		action = *j.EnvironmentAction
	}
	switch action {
	case "stop":
		return w.store.Environments.UpdateByName(ctx, w.pipeline.ProjectID, *j.Environment, map[string]any{
			"state": model.EnvironmentStopped, "auto_stop_at": nil,
		})
	case "start", "prepare", "access":
		set := map[string]any{"state": model.EnvironmentAvailable, "auto_delete_at": nil}
		if action == "start" && j.EnvironmentURL != nil && IsWebURL(*j.EnvironmentURL) {
			set["external_url"] = *j.EnvironmentURL
		}
		spec, err := w.spec(ctx, j)
		if err != nil {
			return err
		}
		if spec.Environment != nil {
			if after, ok := syntax.ParseDuration(spec.Environment.AutoStopIn); ok {
				set["auto_stop_at"] = w.at.Add(after)
			}
		}
		return w.store.Environments.UpdateByName(ctx, w.pipeline.ProjectID, *j.Environment, set)
	}
	return nil
}

// deploymentStatus returns the status of a deployment whose job has the given status.
func deploymentStatus(s status.Status) string {
	switch s {
	case status.Running, status.Canceling:
		return "running"
	case status.Success, status.Failed, status.Canceled, status.Skipped:
		return string(s)
	case status.Manual:
		return "blocked"
	}
	return "created"
}

// StopEnvironment starts the job that stops an environment. It returns the resulting state of the environment.
func (e *Engine) StopEnvironment(ctx context.Context, job model.Job, userID int64) (string, error) {
	return stopped(e.Play(ctx, job, userID, nil))
}

// stopped returns the state of an environment after somebody played the job that stops it.
func stopped(err error) (string, error) {
	if errors.Is(err, ErrWrongStatus) {
		return model.EnvironmentStopped, nil // the job does not wait to be played, so there is nothing to run
	}
	return model.EnvironmentStopping, err
}

// AutoStop is the background job that stops environments whose auto_stop_at has passed, and deletes stopped environments
// whose auto_delete_at has passed.
type AutoStop struct{}

// Kind returns the name of the background job.
func (AutoStop) Kind() string { return "ci_auto_stop" }

// AutoStop stops these environments on behalf of the users of their stop jobs, and deletes the others.
func (e *Engine) AutoStop(ctx context.Context, _ AutoStop) error {
	if err := e.store.Environments.DeleteDue(ctx, now(ctx)); err != nil {
		return err
	}
	due, err := e.store.Environments.Due(ctx, now(ctx), batchSize)
	if err != nil {
		return err
	}
	for _, place := range due {
		state := model.EnvironmentStopped
		job, err := e.store.Environments.StopJob(ctx, place.ProjectID, place.Name)
		if err == nil && job.UserID != nil {
			state, err = stopped(e.play(ctx, job, *job.UserID, nil, false)) // also if its user may no longer deploy
		}
		if ignoreStale(err) != nil {
			return err
		}
		if err := e.store.Environments.UpdateByName(ctx, place.ProjectID, place.Name, map[string]any{
			"state": state, "auto_stop_at": nil,
		}); err != nil {
			return err
		}
	}
	return nil
}
