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

// approvalParts selects the users, groups and protected branches of rules, and the direct members of the groups.
const approvalParts = `SELECT 'user' AS part, rule_id, user_id AS id FROM approval_rule_users WHERE rule_id IN @rules
UNION ALL SELECT 'group', rule_id, group_id FROM approval_rule_groups WHERE rule_id IN @rules
UNION ALL SELECT 'branch', rule_id, protected_branch_id FROM approval_rule_branches WHERE rule_id IN @rules
UNION ALL SELECT 'member', g.rule_id, m.user_id FROM approval_rule_groups g
 JOIN members m ON m.source_type = @group AND m.source_id = g.group_id
 WHERE g.rule_id IN @rules AND m.user_id IS NOT NULL AND (m.expires_at IS NULL OR m.expires_at > @today)
ORDER BY 2, 3`

// Parts returns the users, groups and protected branches of rules.
func (s ApprovalRules) Parts(ctx context.Context, ruleIDs []int64) (ApprovalParts, error) {
	var p ApprovalParts
	if len(ruleIDs) == 0 {
		return p, nil
	}
	rows, err := query.Find[struct {
		Part       string
		RuleID, ID int64
	}](s.db.Read(ctx).Raw(approvalParts, map[string]any{"rules": ruleIDs, "group": model.SourceGroup, "today": s.today()}), 0)
	if err != nil {
		return p, query.Translate(err)
	}
	p.Users, p.Groups, p.Branches, p.Members = map[int64][]int64{}, map[int64][]int64{}, map[int64][]int64{}, map[int64][]int64{}
	for _, row := range rows {
		switch row.Part {
		case "group":
			p.Groups[row.RuleID] = append(p.Groups[row.RuleID], row.ID)
			continue
		case "branch":
			p.Branches[row.RuleID] = append(p.Branches[row.RuleID], row.ID)
			continue
		case "user":
			p.Users[row.RuleID] = append(p.Users[row.RuleID], row.ID)
		}
		// The rows are sorted, so a user who is also a member of a group follows at once.
		if known := p.Members[row.RuleID]; len(known) == 0 || known[len(known)-1] != row.ID {
			p.Members[row.RuleID] = append(known, row.ID)
		}
	}
	return p, nil
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
