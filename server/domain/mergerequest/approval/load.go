package approval

import (
	"context"
	"slices"

	"svc/store"
	"svc/store/model"
)

// Load reads the states of merge requests, in a fixed number of queries. If no project has a rule, that is one query, and
// the states are empty.
func Load(ctx context.Context, st *store.Store, mrs []model.MergeRequest) (map[int64]State, error) {
	states := make(map[int64]State, len(mrs))
	var projects, overwritten []int64
	for _, mr := range mrs {
		if !slices.Contains(projects, mr.ProjectID) {
			projects = append(projects, mr.ProjectID)
		}
		if mr.ApprovalRulesOverwritten {
			overwritten = append(overwritten, mr.ID)
		}
	}
	if len(mrs) == 0 {
		return states, nil
	}
	rules, err := st.ApprovalRules.Of(ctx, projects, overwritten)
	if err != nil || len(rules) == 0 && len(overwritten) == 0 {
		return states, err
	}
	l := loader{st: st, rules: rules}
	if err := l.read(ctx, mrs, projects); err != nil {
		return nil, err
	}
	for _, mr := range mrs {
		if states[mr.ID], err = l.state(ctx, mr); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// One reads the state of one merge request, also if its project has no rules.
func One(ctx context.Context, st *store.Store, mr model.MergeRequest) (State, error) {
	mrs := []model.MergeRequest{mr}
	l := loader{st: st}
	var overwritten []int64
	if mr.ApprovalRulesOverwritten {
		overwritten = append(overwritten, mr.ID)
	}
	var err error
	if l.rules, err = st.ApprovalRules.Of(ctx, []int64{mr.ProjectID}, overwritten); err != nil {
		return State{}, err
	}
	if err := l.read(ctx, mrs, []int64{mr.ProjectID}); err != nil {
		return State{}, err
	}
	return l.state(ctx, mr)
}

// loader holds what the states of merge requests are computed from.
type loader struct {
	st         *store.Store
	rules      []model.ApprovalRule
	parts      store.ApprovalParts
	settings   map[int64]model.ProjectApprovalSetting
	approvals  map[int64][]int64
	committers map[int64][]int64
	heads      map[int64]string
	protected  map[int64][]model.ProtectedBranch // by project
}

func (l *loader) read(ctx context.Context, mrs []model.MergeRequest, projects []int64) (err error) {
	ids, ruleIDs, scoped := make([]int64, len(mrs)), make([]int64, len(l.rules)), false
	for i, mr := range mrs {
		ids[i] = mr.ID
	}
	for i, rule := range l.rules {
		ruleIDs[i] = rule.ID
		scoped = scoped || rule.AppliesToAllProtectedBranches
	}
	if l.settings, err = l.st.ApprovalSettings.Of(ctx, projects...); err != nil {
		return err
	}
	if l.parts, err = l.st.ApprovalRules.Parts(ctx, ruleIDs); err != nil {
		return err
	}
	if scoped || len(l.parts.Branches) > 0 {
		if l.protected, err = l.st.Protections.BranchesOf(ctx, projects); err != nil {
			return err
		}
	}
	if l.approvals, err = l.st.MergeRequests.ApprovedBy(ctx, ids); err != nil || len(l.approvals) == 0 {
		return err
	}
	if l.committers, err = l.st.MergeRequests.Committers(ctx, ids); err != nil {
		return err
	}
	l.heads, err = l.st.MergeRequests.VersionHeads(ctx, ids)
	return err
}

// state computes the state of one merge request.
func (l *loader) state(ctx context.Context, mr model.MergeRequest) (State, error) {
	s := State{Setting: l.settings[mr.ProjectID]}
	s.Overwritten = mr.ApprovalRulesOverwritten && !s.Setting.DisableOverriding
	for _, rule := range l.rules {
		if !l.inForce(s, rule, mr) {
			continue
		}
		s.Rules = append(s.Rules, RuleState{Rule: rule, Parts: Parts{
			Users: l.parts.Users[rule.ID], Groups: l.parts.Groups[rule.ID], Branches: l.parts.Branches[rule.ID],
			Members: l.parts.Members[rule.ID],
		}})
	}
	for _, user := range l.approvals[mr.ID] {
		if s.MayApprove(user, mr.AuthorID, l.committers[mr.ID]) {
			s.ApprovedBy = append(s.ApprovedBy, user)
		}
	}
	head, known := l.heads[mr.ID]
	s.Syncing = s.InUse() && s.Setting.ResetApprovalsOnPush && len(s.ApprovedBy) > 0 && known && head != mr.HeadSHA
	err := s.count(func(r RuleState) (bool, error) {
		able, err := l.st.Projects.DevelopersAmong(ctx, mr.ProjectID, r.Parts.Members)
		if !s.Setting.AuthorApproval {
			delete(able, mr.AuthorID)
		}
		return int64(len(able)) < r.Rule.ApprovalsRequired, err
	})
	return s, err
}

// inForce reports whether a rule applies to a merge request.
func (l *loader) inForce(s State, rule model.ApprovalRule, mr model.MergeRequest) bool {
	if s.Overwritten {
		return rule.MergeRequestID != nil && *rule.MergeRequestID == mr.ID
	}
	if rule.MergeRequestID != nil || rule.ProjectID != mr.ProjectID {
		return false
	}
	branches := l.parts.Branches[rule.ID]
	if !rule.AppliesToAllProtectedBranches && len(branches) == 0 {
		return true
	}
	for _, protected := range l.protected[mr.ProjectID] {
		limited := rule.AppliesToAllProtectedBranches || slices.Contains(branches, protected.ID)
		if limited && store.Matches(protected.Name, mr.TargetBranch) {
			return true
		}
	}
	return false
}
