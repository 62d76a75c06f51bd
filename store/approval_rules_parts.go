package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ApprovalParts are the users, groups and protected branches of approval rules, by the ID of the rule.
type ApprovalParts struct {
	Users    map[int64][]int64
	Groups   map[int64][]int64
	Branches map[int64][]int64
	Members  map[int64][]int64 // the users, and the users who are direct members of the groups
}

// Parts returns the users, groups and protected branches of rules.
func (s ApprovalRules) Parts(ctx context.Context, ruleIDs []int64) (ApprovalParts, error) {
	var p ApprovalParts
	if len(ruleIDs) == 0 {
		return p, nil
	}
	users, err := query.Find[model.ApprovalRuleUser](s.db.Read(ctx).Where("rule_id IN ?", ruleIDs).Order("rule_id, user_id"), 0)
	if err != nil {
		return p, query.Translate(err)
	}
	groups, err := query.Find[model.ApprovalRuleGroup](s.db.Read(ctx).Where("rule_id IN ?", ruleIDs).Order("rule_id, group_id"), 0)
	if err != nil {
		return p, query.Translate(err)
	}
	branches, err := query.Find[model.ApprovalRuleBranch](
		s.db.Read(ctx).Where("rule_id IN ?", ruleIDs).Order("rule_id, protected_branch_id"), 0,
	)
	if err != nil {
		return p, query.Translate(err)
	}
	p.Users, p.Groups, p.Branches = map[int64][]int64{}, map[int64][]int64{}, map[int64][]int64{}
	for _, row := range users {
		p.Users[row.RuleID] = append(p.Users[row.RuleID], row.UserID)
	}
	for _, row := range groups {
		p.Groups[row.RuleID] = append(p.Groups[row.RuleID], row.GroupID)
	}
	for _, row := range branches {
		p.Branches[row.RuleID] = append(p.Branches[row.RuleID], row.ProtectedBranchID)
	}
	p.Members, err = s.members(ctx, ruleIDs)
	return p, err
}

// members returns the users whose approvals count for rules.
func (s ApprovalRules) members(ctx context.Context, ruleIDs []int64) (map[int64][]int64, error) {
	q := s.db.Read(ctx).Raw(`SELECT rule_id, user_id FROM approval_rule_users WHERE rule_id IN ?
UNION SELECT g.rule_id, m.user_id FROM approval_rule_groups g JOIN members m ON m.source_type = ? AND m.source_id = g.group_id
 WHERE g.rule_id IN ? AND m.user_id IS NOT NULL AND (m.expires_at IS NULL OR m.expires_at > ?) ORDER BY 1, 2`,
		ruleIDs, model.SourceGroup, ruleIDs, s.today())
	rows, err := query.Find[model.ApprovalRuleUser](q, 0)
	found := map[int64][]int64{}
	for _, row := range rows {
		found[row.RuleID] = append(found[row.RuleID], row.UserID)
	}
	return found, query.Translate(err)
}

// ApprovalSettings holds how the merge requests of projects are approved.
type ApprovalSettings struct{ *base }

// Of returns the settings of projects. A project that has changed none has the defaults.
func (s ApprovalSettings) Of(ctx context.Context, projectIDs ...int64) (map[int64]model.ProjectApprovalSetting, error) {
	rows, err := query.Find[model.ProjectApprovalSetting](s.db.Read(ctx).Where("project_id IN ?", projectIDs), 0)
	if err != nil {
		return nil, query.Translate(err)
	}
	found := map[int64]model.ProjectApprovalSetting{}
	for _, id := range projectIDs {
		found[id] = model.DefaultApprovalSetting(id)
	}
	for _, row := range rows {
		found[row.ProjectID] = row
	}
	return found, nil
}

// Save stores the setting of a project.
func (s ApprovalSettings) Save(ctx context.Context, row *model.ProjectApprovalSetting) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "project_id"}}, UpdateAll: true,
	}).Create(row).Error)
}
