package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ApprovalRules holds how many approvals merge requests need, and of which users.
type ApprovalRules struct{ *base }

const approvalRule = "Approval Rule"

// ListByProject returns one page of the rules of a project, the oldest first.
func (s ApprovalRules) ListByProject(ctx context.Context, projectID int64, p Page) ([]model.ApprovalRule, Total, error) {
	return shortList[model.ApprovalRule]{
		columns: approvalRuleColumns,
		from:    condition{"approval_rules WHERE project_id = " + opaqueNumber + " AND merge_request_id IS NULL", []any{projectID}},
		order:   "id", fields: approvalRuleFields,
	}.page(ctx, s.base, p)
}

// Of returns the rules of projects and those of merge requests themselves, the oldest first.
func (s ApprovalRules) Of(ctx context.Context, projectIDs, mergeRequestIDs []int64) ([]model.ApprovalRule, error) {
	of := s.inIDs(projectIDs)
	where, args := "project_id "+of.text+" AND merge_request_id IS NULL", of.args
	if len(mergeRequestIDs) > 0 {
		own := s.inIDs(mergeRequestIDs)
		where, args = where+" OR merge_request_id "+own.text, append(args, own.args...)
	}
	var rules []model.ApprovalRule
	err := s.db.Rows(ctx, "SELECT "+approvalRuleColumns+" FROM approval_rules WHERE "+where+" ORDER BY id", args,
		func(row query.Scanner) error {
			var r model.ApprovalRule
			err := row.Scan(approvalRuleFields(&r)...)
			rules = append(rules, r)
			return err
		})
	return rules, query.Translate(err)
}

// approvalRuleColumns and approvalRuleFields belong together: all columns of a rule, and the fields that they are scanned
// into.
const approvalRuleColumns = "id, project_id, merge_request_id, source_rule_id, name, rule_type, approvals_required, " +
	"applies_to_all_protected_branches, created_at, updated_at"

func approvalRuleFields(r *model.ApprovalRule) []any {
	return []any{
		&r.ID, &r.ProjectID, &r.MergeRequestID, &r.SourceRuleID, &r.Name, &r.RuleType, &r.ApprovalsRequired,
		&r.AppliesToAllProtectedBranches, &r.CreatedAt, &r.UpdatedAt,
	}
}

// Get returns a rule of a project.
func (s ApprovalRules) Get(ctx context.Context, projectID, id int64) (model.ApprovalRule, error) {
	return query.Take[model.ApprovalRule](
		s.db.Read(ctx).Where("id = ? AND project_id = ? AND merge_request_id IS NULL", id, projectID), approvalRule,
	)
}

// GetOfMergeRequest returns a rule of a merge request, by its own id or by that of the rule of the project that it was
// copied from.
func (s ApprovalRules) GetOfMergeRequest(ctx context.Context, mergeRequestID, id int64) (model.ApprovalRule, error) {
	return query.Take[model.ApprovalRule](
		s.db.Read(ctx).Where("merge_request_id = ? AND (id = ? OR source_rule_id = ?)", mergeRequestID, id, id), approvalRule,
	)
}

// AnyApprover returns the rule of a project to which every approval counts.
func (s ApprovalRules) AnyApprover(ctx context.Context, projectID int64) (model.ApprovalRule, error) {
	return query.Take[model.ApprovalRule](s.db.Read(ctx).
		Where("project_id = ? AND merge_request_id IS NULL AND rule_type = ?", projectID, model.ApprovalAny), approvalRule)
}

// Create adds a rule. It returns a *ConflictError if there is one with this name, or a second one for every approval.
func (s ApprovalRules) Create(ctx context.Context, r *model.ApprovalRule) error {
	return query.Translate(s.db.Write(ctx).Create(r).Error)
}

// Save stores a changed rule. It returns a *ConflictError if there is another one with this name.
func (s ApprovalRules) Save(ctx context.Context, r *model.ApprovalRule) error {
	return query.Translate(s.db.Write(ctx).Save(r).Error)
}

// Delete removes a rule, unless it was changed after the given time.
func (s ApprovalRules) Delete(ctx context.Context, r model.ApprovalRule, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, r, approvalRule, unchangedSince)
}

// SetUsers replaces the users of a rule. It returns a *NotFoundError if one of them does not exist.
func (s ApprovalRules) SetUsers(ctx context.Context, ruleID int64, userIDs []int64) error {
	rows := make([]model.ApprovalRuleUser, len(userIDs))
	for i, id := range userIDs {
		rows[i] = model.ApprovalRuleUser{RuleID: ruleID, UserID: id}
	}
	return replaceParts(ctx, s, ruleID, rows)
}

// SetGroups replaces the groups of a rule. It returns a *NotFoundError if one of them does not exist.
func (s ApprovalRules) SetGroups(ctx context.Context, ruleID int64, groupIDs []int64) error {
	rows := make([]model.ApprovalRuleGroup, len(groupIDs))
	for i, id := range groupIDs {
		rows[i] = model.ApprovalRuleGroup{RuleID: ruleID, GroupID: id}
	}
	return replaceParts(ctx, s, ruleID, rows)
}

// SetBranches replaces the protected branches of a rule. It returns a *NotFoundError if one of them does not exist.
func (s ApprovalRules) SetBranches(ctx context.Context, ruleID int64, branchIDs []int64) error {
	rows := make([]model.ApprovalRuleBranch, len(branchIDs))
	for i, id := range branchIDs {
		rows[i] = model.ApprovalRuleBranch{RuleID: ruleID, ProtectedBranchID: id}
	}
	return replaceParts(ctx, s, ruleID, rows)
}

// replaceParts replaces the rows of a rule in one of its tables.
func replaceParts[T any](ctx context.Context, s ApprovalRules, ruleID int64, rows []T) error {
	if err := s.db.Write(ctx).Where("rule_id = ?", ruleID).Delete(new(T)).Error; err != nil {
		return query.Translate(err)
	}
	if len(rows) == 0 {
		return nil
	}
	err := s.db.Write(ctx).Create(&rows).Error
	if query.IsGone(err) {
		return &NotFoundError{Resource: approvalRule}
	}
	return query.Translate(err)
}
