package approval

import (
	"testing"
	"time"

	"svc/store/model"
)

// An approval counts for every rule that lists the user. If a rule requires more approvals than it has members who may
// approve, every approval counts for it.
func TestApprovalsCountForTheRulesThatListTheUser(t *testing.T) {
	t.Parallel()
	rule := func(kind string, required int64, members ...int64) RuleState {
		return RuleState{
			Rule: model.ApprovalRule{RuleType: kind, ApprovalsRequired: required}, Parts: Parts{Members: members},
		}
	}
	for name, c := range map[string]struct {
		rules    []RuleState
		approved []int64
		few      bool
		left     int64
		want     bool
	}{
		"no rule, no approval":           {nil, nil, false, 0, false},
		"no rule, one approval":          {nil, []int64{1}, false, 0, true},
		"a rule that requires none":      {[]RuleState{rule(model.ApprovalRegular, 0)}, nil, false, 0, false},
		"any two, one came":              {[]RuleState{rule(model.ApprovalAny, 2)}, []int64{1}, false, 1, false},
		"any two, both came":             {[]RuleState{rule(model.ApprovalAny, 2)}, []int64{1, 2}, false, 0, true},
		"somebody else approved":         {[]RuleState{rule(model.ApprovalRegular, 1, 5)}, []int64{1}, false, 1, false},
		"the member approved":            {[]RuleState{rule(model.ApprovalRegular, 1, 5)}, []int64{1, 5}, false, 0, true},
		"too few members, so all count":  {[]RuleState{rule(model.ApprovalRegular, 2, 5)}, []int64{1, 5}, true, 0, true},
		"too few members, one is missed": {[]RuleState{rule(model.ApprovalRegular, 2, 5)}, []int64{5}, true, 1, false},
		"one user counts for two rules": {
			[]RuleState{rule(model.ApprovalRegular, 1, 5), rule(model.ApprovalRegular, 1, 5, 6), rule(model.ApprovalAny, 1)},
			[]int64{5},
			false, 0, true,
		},
		"two rules lack one each": {
			[]RuleState{rule(model.ApprovalRegular, 1, 5), rule(model.ApprovalRegular, 1, 6)}, []int64{1}, false, 2, false,
		},
	} {
		s := State{Rules: c.rules, ApprovedBy: c.approved}
		err := s.count(func(RuleState) (bool, error) { return c.few, nil })
		if err != nil || s.Left() != c.left || s.Approved() != c.want || s.Missing() != (c.left > 0) {
			t.Errorf("%s: %d left, approved %v, %v", name, s.Left(), s.Approved(), err)
		}
	}
}

func TestTheSettingsSayWhetherAuthorsAndCommittersApprove(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting model.ProjectApprovalSetting
		user    int64
		want    bool
	}{
		{model.ProjectApprovalSetting{}, 1, false},
		{model.ProjectApprovalSetting{AuthorApproval: true}, 1, true},
		{model.ProjectApprovalSetting{}, 2, true},
		{model.ProjectApprovalSetting{DisableCommittersApproval: true}, 2, false},
		{model.ProjectApprovalSetting{DisableCommittersApproval: true}, 3, true},
		{model.ProjectApprovalSetting{AuthorApproval: true, DisableCommittersApproval: true}, 1, false},
	} {
		c.setting.CreatedAt = time.Now() // the project has set it
		if got := (State{Setting: c.setting}).MayApprove(c.user, 1, []int64{1, 2}); got != c.want {
			t.Errorf("%+v: user %d: %v", c.setting, c.user, got)
		}
	}
	if !(State{}).MayApprove(1, 1, nil) {
		t.Error("without rules and settings, the author approves")
	}
}
