package approvals

import (
	"context"
	"slices"

	"svc/gen"
	"svc/server/domain/mergerequest/approval"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// view holds what responses show of rules besides their rows.
type view struct {
	show     present.Presenter
	parts    store.ApprovalParts
	users    map[int64]*model.User
	groups   map[int64]model.Namespace // those that the caller can see
	branches []model.ProtectedBranch
	sources  map[int64]model.ApprovalRule
}

// viewStates reads what responses show of the rules of a merge request.
func (a *Approvals) viewStates(ctx context.Context, p model.Project, states []approval.RuleState) (view, error) {
	rules := make([]model.ApprovalRule, len(states))
	var approvers []int64
	for i, r := range states {
		rules[i] = r.Rule
		approvers = append(approvers, r.ApprovedBy...)
	}
	return a.view(ctx, p, rules, approvers)
}

// viewRules reads what responses show of rules.
func (a *Approvals) viewRules(ctx context.Context, p model.Project, rules ...model.ApprovalRule) (view, error) {
	return a.view(ctx, p, rules, nil)
}

func (a *Approvals) view(ctx context.Context, p model.Project, rules []model.ApprovalRule, users []int64) (view, error) {
	v := view{show: a.show, sources: map[int64]model.ApprovalRule{}}
	ids := make([]int64, len(rules))
	for i, rule := range rules {
		ids[i] = rule.ID
	}
	var err error
	if v.parts, err = a.store.ApprovalRules.Parts(ctx, ids); err != nil {
		return v, err
	}
	wanted, groups := map[int64]bool{}, []int64(nil)
	for _, id := range users {
		wanted[id] = true
	}
	for _, rule := range rules {
		for _, id := range v.parts.Members[rule.ID] {
			wanted[id] = true
		}
		groups = append(groups, v.parts.Groups[rule.ID]...)
	}
	if v.users, err = a.store.Users.Shown(ctx, wanted); err != nil {
		return v, err
	}
	if v.groups, err = a.store.Namespaces.VisibleGroups(ctx, groups, access.Reader(ctx)); err != nil {
		return v, err
	}
	if len(v.parts.Branches) > 0 {
		if v.branches, err = a.store.Protections.Branches(ctx, p.ID); err != nil {
			return v, err
		}
	}
	if !slices.ContainsFunc(rules, func(r model.ApprovalRule) bool { return r.SourceRuleID != nil }) {
		return v, nil
	}
	sources, err := a.store.ApprovalRules.Of(ctx, []int64{p.ID}, nil)
	for _, rule := range sources {
		v.sources[rule.ID] = rule
	}
	return v, err
}

// presentRule presents one rule of a project.
func (a *Approvals) presentRule(ctx context.Context, p model.Project, rule model.ApprovalRule) (gen.ApprovalRule, error) {
	v, err := a.viewRules(ctx, p, rule)
	return v.projectRule(rule), err
}

// presentOwnRule presents one rule of a merge request.
func (a *Approvals) presentOwnRule(
	ctx context.Context, p model.Project, rule model.ApprovalRule,
) (gen.MergeRequestApprovalRule, error) {
	v, err := a.viewRules(ctx, p, rule)
	return v.ownRule(rule), err
}

// people presents users in the order of their ids.
func (v view) people(ids []int64) []gen.UserBasic {
	shown := []gen.UserBasic{}
	for _, id := range ids {
		if u := v.users[id]; u != nil {
			shown = append(shown, v.show.UserBasic(*u))
		}
	}
	return shown
}

// projectRule presents a rule of a project.
func (v view) projectRule(r model.ApprovalRule) gen.ApprovalRule {
	shown := gen.ApprovalRule{
		ID: r.ID, Name: r.Name, RuleType: r.RuleType, EligibleApprovers: v.people(v.parts.Members[r.ID]),
		ApprovalsRequired: r.ApprovalsRequired, Users: v.people(v.parts.Users[r.ID]), Groups: []gen.ApprovalGroup{},
		ProtectedBranches: []gen.ProtectedBranch{}, AppliesToAllProtectedBranches: r.AppliesToAllProtectedBranches,
	}
	for _, id := range v.parts.Groups[r.ID] {
		if g, visible := v.groups[id]; visible {
			shown.Groups = append(shown.Groups, gen.ApprovalGroup{
				ID: g.ID, Name: g.Name, Path: g.Path, FullPath: g.FullPath, WebURL: v.show.Base + "/groups/" + g.FullPath,
			})
		} else {
			shown.ContainsHiddenGroups = true
		}
	}
	for _, b := range v.branches {
		if slices.Contains(v.parts.Branches[r.ID], b.ID) {
			shown.ProtectedBranches = append(shown.ProtectedBranches, present.ProtectedBranch(b, nil))
		}
	}
	return shown
}

// ownRule presents a rule that applies to a merge request.
func (v view) ownRule(r model.ApprovalRule) gen.MergeRequestApprovalRule {
	p := v.projectRule(r)
	shown := gen.MergeRequestApprovalRule{
		ID: p.ID, Name: p.Name, RuleType: p.RuleType, EligibleApprovers: p.EligibleApprovers, ApprovalsRequired: p.ApprovalsRequired,
		Users: p.Users, Groups: p.Groups, ContainsHiddenGroups: p.ContainsHiddenGroups,
	}
	if r.MergeRequestID == nil {
		shown.SourceRule = &gen.ApprovalSourceRule{ID: r.ID, ApprovalsRequired: r.ApprovalsRequired}
	} else if r.SourceRuleID != nil {
		source := v.sources[*r.SourceRuleID]
		shown.SourceRule = &gen.ApprovalSourceRule{ID: *r.SourceRuleID, ApprovalsRequired: source.ApprovalsRequired}
		shown.Overridden = source.Name != r.Name || source.ApprovalsRequired != r.ApprovalsRequired
	}
	return shown
}

// ruleState presents a rule with its approvals.
func (v view) ruleState(r approval.RuleState) gen.MergeRequestApprovalRuleState {
	o := v.ownRule(r.Rule)
	return gen.MergeRequestApprovalRuleState{
		ID: o.ID, Name: o.Name, RuleType: o.RuleType, EligibleApprovers: o.EligibleApprovers, ApprovalsRequired: o.ApprovalsRequired,
		Users: o.Users, Groups: o.Groups, ContainsHiddenGroups: o.ContainsHiddenGroups, SourceRule: o.SourceRule,
		Overridden: o.Overridden, ApprovedBy: v.people(r.ApprovedBy), Approved: r.Approved(),
	}
}
