package protection

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// ProtectBranch protects a branch, or all branches that match a wildcard.
func (s *Service) ProtectBranch(
	ctx context.Context, p model.Project, rule model.ProtectedBranch,
) (model.ProtectedBranch, error) {
	if err := checkName(rule.Name); err != nil {
		return rule, err
	}
	rule.ProjectID = p.ID
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Protections.ProtectBranch(ctx, &rule)
		return branchChange(p, rule, "protected_branch_created", "Added protected branch"), err
	})
	return rule, orConflict(err, "Protected branch '"+rule.Name+"' already exists")
}

// BranchChange describes what to change in the protection of a branch; nil fields stay as they are.
type BranchChange struct {
	Push, Merge, Unprotect *model.Access
	ForcePush              *bool
}

// columns returns the columns to set.
func (c BranchChange) columns() map[string]any {
	set := map[string]any{}
	for column, level := range map[string]*model.Access{
		"push_access_level": c.Push, "merge_access_level": c.Merge, "unprotect_access_level": c.Unprotect,
	} {
		if level != nil {
			set[column] = *level
		}
	}
	if c.ForcePush != nil {
		set["allow_force_push"] = *c.ForcePush
	}
	return set
}

// checkUnprotect refuses callers who are below the role that may change or remove a rule. Administrators always may.
func checkUnprotect(row model.ProjectRow, rule model.ProtectedBranch) error {
	if row.Admin || row.Role() >= rule.UnprotectAccessLevel {
		return nil
	}
	return apierr.Forbidden("You are not allowed to change or remove this protection")
}

// ChangeBranch changes the protection of a branch.
func (s *Service) ChangeBranch(
	ctx context.Context, row model.ProjectRow, rule model.ProtectedBranch, c BranchChange,
) (changed model.ProtectedBranch, err error) {
	if err := checkUnprotect(row, rule); err != nil {
		return rule, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		changed, err = s.store.Protections.UpdateBranch(ctx, rule, c.columns())
		return events.Differences(rule, changed, branchChange(row.Project, rule, "protected_branch_updated", "")), err
	})
	return changed, apierr.OrNotFound(err)
}

// UnprotectBranch removes the protection of a branch. It fails if the rule was changed after unmodifiedSince.
func (s *Service) UnprotectBranch(
	ctx context.Context, row model.ProjectRow, rule model.ProtectedBranch, unmodifiedSince *time.Time,
) error {
	if err := checkUnprotect(row, rule); err != nil {
		return err
	}
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Protections.UnprotectBranch(ctx, rule, unmodifiedSince)
		return branchChange(row.Project, rule, "protected_branch_deleted", "Removed protected branch"), err
	})
}
