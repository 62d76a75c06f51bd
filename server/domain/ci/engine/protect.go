package engine

import (
	"context"

	"svc/server/domain/ci/protectedenvironment"
	"svc/server/domain/ci/status"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// needsApprovals is the message for a job that somebody plays before its deployment is approved.
const needsApprovals = "The deployment waits for approvals"

// protection returns the rules for the environments of the pipeline. It reads them once.
func (w *pipelineTx) protection(ctx context.Context) (*protectedenvironment.Rules, error) {
	if w.rules != nil {
		return w.rules, nil
	}
	seen := map[string]bool{}
	var names []string
	for i := range w.jobs {
		if name := w.jobs[i].Environment; name != nil && !seen[*name] {
			seen[*name] = true
			names = append(names, *name)
		}
	}
	var err error
	w.rules, err = protectedenvironment.Load(ctx, w.store, w.pipeline.ProjectID, names...)
	return w.rules, err
}

// mayDeploy reports whether a user may run a job: everybody if its environment is not protected.
func (w *pipelineTx) mayDeploy(ctx context.Context, j *model.Job, userID *int64) (bool, error) {
	if j.Environment == nil {
		return true, nil
	}
	rules, err := w.protection(ctx)
	if err != nil || !rules.Protects(*j.Environment) {
		return true, err
	}
	if userID == nil {
		return false, nil
	}
	return rules.MayDeploy(ctx, *j.Environment, *userID)
}

// approved reports whether a job has the approvals that its environment requires.
func (w *pipelineTx) approved(ctx context.Context, j *model.Job) (bool, error) {
	if !startsEnvironment(j) {
		return true, nil
	}
	rules, err := w.protection(ctx)
	if err != nil || !rules.NeedsApproval(*j.Environment) {
		return true, err
	}
	decisions, err := w.store.DeploymentApprovals.OfJob(ctx, j.ID)
	if err != nil {
		return false, err
	}
	state, err := rules.State(ctx, *j.Environment, decisions)
	return err == nil && state.Pending == 0 && !state.Rejected, err
}

// begin applies the event that starts a job, unless its environment is protected. If the user of the job may not deploy, the
// job fails. If approvals are missing, the job waits as a manual one. It returns whether the job was moved.
func (w *pipelineTx) begin(ctx context.Context, j *model.Job, event status.Event) (bool, error) {
	if j.Environment == nil || event == status.Skip || event == status.Actionize {
		return w.move(j, event), nil
	}
	allowed, err := w.mayDeploy(ctx, j, j.UserID)
	if err != nil {
		return false, err
	}
	if !allowed {
		return w.fail(j, status.ProtectedEnvironmentFailure), nil
	}
	ready, err := w.approved(ctx, j)
	if err != nil {
		return false, err
	}
	if !ready {
		event = status.Actionize
	}
	return w.move(j, event), nil
}

// checkPlay refuses to play a job on behalf of a user who may not deploy to its environment, or before its deployment is
// approved.
func (w *pipelineTx) checkPlay(ctx context.Context, j *model.Job, userID int64) error {
	allowed, err := w.mayDeploy(ctx, j, &userID)
	if err != nil {
		return err
	}
	if !allowed {
		return apierr.Forbidden()
	}
	ready, err := w.approved(ctx, j)
	if err == nil && !ready {
		err = apierr.Refused(needsApprovals)
	}
	return err
}

// RejectDeployment fails a job whose deployment waits for approvals. ErrWrongStatus means that the job does not wait.
func (e *Engine) RejectDeployment(ctx context.Context, job model.Job) error {
	return e.update(ctx, job.PipelineID, func(_ context.Context, w *pipelineTx) error {
		j := w.job(job.ID)
		if j == nil || j.Status != string(status.Manual) {
			return ErrWrongStatus
		}
		w.fail(j, status.DeploymentRejected)
		return nil
	})
}

// rejected reports whether the deployment of a job was rejected, after which the job does not run again.
func rejected(j *model.Job) bool {
	return j.FailureReason != nil && *j.FailureReason == string(status.DeploymentRejected)
}
