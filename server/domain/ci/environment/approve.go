package environment

import (
	"context"
	"errors"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Decision is what a user decides about a deployment.
type Decision struct {
	Status        string // model.DeploymentApproved or model.DeploymentRejected
	Comment       *string
	RepresentedAs string // the description of the only rule that the approval counts for; empty for all
}

// notWaiting is the message for a decision about a deployment that waits for none.
const notWaiting = "This deployment is not waiting for approvals."

// Decide stores the decision of the caller about a deployment that waits for approvals. A rejection fails its job.
func (s *Service) Decide(
	ctx context.Context, p model.Project, row model.DeploymentRow, d Decision,
) (model.DeploymentApproval, error) {
	name, user := row.Environment.Name, reqctx.Of(ctx).Actor.User
	made := model.DeploymentApproval{
		DeploymentID: row.Deployment.ID, UserID: user.ID, Status: d.Status, Comment: d.Comment, CreatedAt: clock.Now(ctx).UTC(),
	}
	rules, err := protectedenvironment.Load(ctx, s.store, p.ID, name)
	if err != nil {
		return made, err
	}
	allowed, err := rules.MayApprove(ctx, name, user.ID)
	switch {
	case err != nil:
		return made, err
	case row.Job == nil || row.Deployment.Status != "blocked" || !rules.NeedsApproval(name):
		return made, apierr.Refused(notWaiting)
	case !allowed:
		return made, apierr.Forbidden()
	}
	job := row.Job.Job
	if err := s.checkStarter(ctx, job, user.ID); err != nil {
		return made, err
	}
	if d.RepresentedAs != "" {
		rule, err := rules.RuleCalled(ctx, name, d.RepresentedAs, user.ID)
		if err != nil {
			return made, err
		}
		if rule == nil {
			return made, apierr.Invalid("represented_as", "names no approval rule that you belong to")
		}
		made.RuleID = &rule.ID
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.DeploymentApprovals.Put(ctx, &made)
		if err == nil && d.Status == model.DeploymentRejected {
			err = s.engine.RejectDeployment(ctx, job)
		}
		return events.Change{
			Type: "deployment_" + d.Status, Entity: events.Project(p), Message: "Decided about a deployment: " + d.Status,
			Target: events.Target{Type: "Deployment", ID: row.Deployment.ID, Details: name},
		}, err
	})
	if errors.Is(err, engine.ErrWrongStatus) {
		err = apierr.Refused(notWaiting)
	}
	return made, err
}

// checkStarter refuses the user who started the job or its pipeline.
func (s *Service) checkStarter(ctx context.Context, job model.Job, userID int64) error {
	pipeline, err := s.store.Pipelines.Find(ctx, job.PipelineID)
	if err != nil {
		return err
	}
	for _, starter := range []*int64{job.UserID, pipeline.UserID} {
		if starter != nil && *starter == userID {
			return apierr.Forbidden("You cannot approve a deployment that you started")
		}
	}
	return nil
}

// checkDeploy refuses users who may not deploy to an environment.
func (s *Service) checkDeploy(ctx context.Context, e model.Environment, userID int64) error {
	rules, err := protectedenvironment.Load(ctx, s.store, e.ProjectID, e.Name)
	if err != nil {
		return err
	}
	allowed, err := rules.MayDeploy(ctx, e.Name, userID)
	if err == nil && !allowed {
		err = apierr.Forbidden()
	}
	return err
}

// Approvals returns the decisions about a deployment, and which approvals it has and lacks.
func Approvals(
	ctx context.Context, st *store.Store, row model.DeploymentRow,
) ([]model.DeploymentApproval, protectedenvironment.State, error) {
	decisions, err := st.DeploymentApprovals.Of(ctx, []int64{row.Deployment.ID})
	if err != nil {
		return nil, protectedenvironment.State{}, err
	}
	rules, err := protectedenvironment.Load(ctx, st, row.Deployment.ProjectID, row.Environment.Name)
	if err != nil {
		return nil, protectedenvironment.State{}, err
	}
	list := decisions[row.Deployment.ID]
	state, err := rules.State(ctx, row.Environment.Name, list)
	if row.Deployment.Status != "created" && row.Deployment.Status != "blocked" {
		state.Pending = 0 // the deployment waits for nothing any more
	}
	return list, state, err
}
