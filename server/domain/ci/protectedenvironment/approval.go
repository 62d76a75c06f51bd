package protectedenvironment

import (
	"context"

	"svc/store/model"
)

// Requirement is an approval rule, with the decisions that count for it.
type Requirement struct {
	Rule      model.ProtectedEnvironmentRule
	Decisions []model.DeploymentApproval
}

// State says which approvals a deployment has and lacks.
type State struct {
	Requirements []Requirement
	Pending      int64 // number of approvals that are missing
	Rejected     bool
}

// NeedsApproval reports whether deployments to an environment need approvals.
func (r *Rules) NeedsApproval(name string) bool {
	for _, p := range r.byName[name] {
		if p.Environment.RequiredApprovalCount > 0 || len(p.Approvers) > 0 {
			return true
		}
	}
	return false
}

// State returns which approvals a deployment to an environment has and lacks. A decision counts as long as a rule names its
// user.
func (r *Rules) State(ctx context.Context, name string, decisions []model.DeploymentApproval) (State, error) {
	var s State
	voters := make([]int64, len(decisions))
	for i, d := range decisions {
		voters[i] = d.UserID
		s.Rejected = s.Rejected || d.Status == model.DeploymentRejected
	}
	if !r.NeedsApproval(name) {
		return s, nil
	}
	if err := r.load(ctx, voters...); err != nil {
		return s, err
	}
	for _, p := range r.byName[name] {
		missing := int64(0)
		for _, rule := range p.Approvers {
			one := Requirement{Rule: rule}
			for _, d := range decisions {
				if (d.RuleID == nil || *d.RuleID == rule.ID) && r.people.fits(rule, d.UserID) {
					one.Decisions = append(one.Decisions, d)
				}
			}
			missing += max(0, rule.RequiredApprovals-approved(one.Decisions))
			s.Requirements = append(s.Requirements, one)
		}
		total := p.Environment.RequiredApprovalCount - r.countApproved(p, decisions)
		s.Pending += max(missing, total)
	}
	return s, nil
}

func approved(decisions []model.DeploymentApproval) (n int64) {
	for _, d := range decisions {
		if d.Status == model.DeploymentApproved {
			n++
		}
	}
	return n
}

// countApproved returns the number of approvals of users who may approve for a protection.
func (r *Rules) countApproved(p Protection, decisions []model.DeploymentApproval) (n int64) {
	for _, d := range decisions {
		if d.Status == model.DeploymentApproved && r.people.fitsAny(p.approvers(), d.UserID) {
			n++
		}
	}
	return n
}

// approvers returns the rules that name who approves: the approval rules or, if there are none, those about deploying.
func (p Protection) approvers() []model.ProtectedEnvironmentRule {
	if len(p.Approvers) == 0 {
		return p.Deployers
	}
	return p.Approvers
}

// MayApprove reports whether a rule that deployments to an environment need names a user.
func (r *Rules) MayApprove(ctx context.Context, name string, userID int64) (bool, error) {
	if err := r.load(ctx, userID); err != nil {
		return false, err
	}
	for _, p := range r.byName[name] {
		needed := p.Environment.RequiredApprovalCount > 0 || len(p.Approvers) > 0
		if needed && r.people.fitsAny(p.approvers(), userID) {
			return true, nil
		}
	}
	return false, nil
}

// RuleCalled returns the approval rule of an environment that names a user and has the given description, or nil.
func (r *Rules) RuleCalled(ctx context.Context, name, description string, userID int64) (*model.ProtectedEnvironmentRule, error) {
	var all []model.ProtectedEnvironmentRule
	for _, p := range r.byName[name] {
		all = append(all, p.Approvers...)
	}
	words, err := Describe(ctx, r.store, all)
	if err != nil {
		return nil, err
	}
	if err := r.load(ctx, userID); err != nil {
		return nil, err
	}
	for i, rule := range all {
		if words[rule.ID] == description && r.people.fits(rule, userID) {
			return &all[i], nil
		}
	}
	return nil, nil
}
