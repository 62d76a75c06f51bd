package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/environment"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// CreateProjectDeploymentApproval approves or rejects a deployment.
// POST /projects/{id}/deployments/{deployment_id}/approval
func (e *Environments) CreateProjectDeploymentApproval(
	ctx context.Context, req gen.CreateProjectDeploymentApprovalRequestObject,
) (gen.CreateProjectDeploymentApprovalResponseObject, error) {
	row, found, err := e.findDeployment(ctx, req.ID, req.DeploymentID, access.ApproveDeployment)
	if err != nil {
		return nil, err
	}
	made, err := e.environments.Decide(ctx, row.Project, found, environment.Decision{
		Status: string(req.Body.Status), Comment: req.Body.Comment, RepresentedAs: wire.Value(req.Body.RepresentedAs),
	})
	if err != nil {
		return nil, err
	}
	users, err := e.store.Users.ByID(ctx, []int64{made.UserID})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectDeploymentApproval201JSONResponse(e.decision(users)(made)), nil
}

// decision returns a function that presents decisions about deployments.
func (e *Environments) decision(users map[int64]model.User) func(model.DeploymentApproval) gen.DeploymentApproval {
	return func(d model.DeploymentApproval) gen.DeploymentApproval {
		shown := gen.DeploymentApproval{Status: d.Status, CreatedAt: wire.NewTime(d.CreatedAt), Comment: d.Comment}
		if user, known := users[d.UserID]; known {
			basic := e.show.UserBasic(user)
			shown.User = &basic
		}
		return shown
	}
}

// addApprovals adds to a deployment the decisions about it and the approval rules of its environment.
func (e *Environments) addApprovals(ctx context.Context, shown *gen.Deployment, row model.DeploymentRow) error {
	decisions, state, err := environment.Approvals(ctx, e.store, row)
	if err != nil {
		return err
	}
	voters, rules := make([]int64, len(decisions)), make([]model.ProtectedEnvironmentRule, len(state.Requirements))
	for i, d := range decisions {
		voters[i] = d.UserID
	}
	for i, one := range state.Requirements {
		rules[i] = one.Rule
	}
	users, err := e.store.Users.ByID(ctx, voters)
	if err != nil {
		return err
	}
	words, err := protectedenvironment.Describe(ctx, e.store, rules)
	if err != nil {
		return err
	}
	summary := gen.DeploymentApprovalSummary{Rules: []gen.DeploymentApprovalRule{}}
	for _, one := range state.Requirements {
		r := one.Rule
		summary.Rules = append(summary.Rules, gen.DeploymentApprovalRule{
			UserID: r.UserID, GroupID: r.GroupID, AccessLevel: (*int64)(r.AccessLevel), AccessLevelDescription: words[r.ID],
			RequiredApprovals: r.RequiredApprovals, DeploymentApprovals: present.All(one.Decisions, e.decision(users)),
		})
	}
	all := present.All(decisions, e.decision(users))
	shown.PendingApprovalCount, shown.Approvals, shown.ApprovalSummary = &state.Pending, &all, &summary
	return nil
}
