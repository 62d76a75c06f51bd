package protection

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// ProtectBranch protects a branch, or all branches that match a wildcard. The deploy keys may push.
func (s *Service) ProtectBranch(
	ctx context.Context, p model.Project, rule model.ProtectedBranch, keys []int64,
) (model.ProtectedBranch, error) {
	if err := checkName(rule.Name); err != nil {
		return rule, err
	}
	rule.ProjectID = p.ID
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Protections.ProtectBranch(ctx, &rule)
		if err == nil {
			err = s.allow(ctx, rule, keys)
		}
		return branchChange(p, rule, "protected_branch_created", "Added protected branch"), err
	})
	return rule, orConflict(err, "Protected branch '"+rule.Name+"' already exists")
}

// BranchChange describes what to change in the protection of a branch; nil fields stay as they are.
type BranchChange struct {
	Push, Merge, Unprotect *model.Access
	ForcePush              *bool
	AllowKeys              []int64 // deploy keys that may push from now on
	ForbidKeys             []int64 // ids of rows of deploy keys that may not push any more
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
		if changed, err = s.store.Protections.UpdateBranch(ctx, rule, c.columns()); err != nil {
			return nil, apierr.OrNotFound(err)
		}
		changes := events.Differences(rule, changed, branchChange(row.Project, rule, "protected_branch_updated", ""))
		keyChanges, err := s.changeKeys(ctx, row.Project, rule, c)
		return append(changes, keyChanges...), err
	})
	return changed, err
}

// changeKeys changes which deploy keys may push to the branches of a rule.
func (s *Service) changeKeys(
	ctx context.Context, p model.Project, rule model.ProtectedBranch, c BranchChange,
) (changes []events.Change, err error) {
	if len(c.ForbidKeys) > 0 {
		if err := s.store.Protections.ForbidDeployKeys(ctx, rule, c.ForbidKeys); err != nil {
			return nil, orNoKey(err)
		}
		changes = append(changes, branchChange(p, rule, "protected_branch_updated", "Removed deploy keys that may push"))
	}
	if len(c.AllowKeys) > 0 {
		changes = append(changes, branchChange(p, rule, "protected_branch_updated", "Added deploy keys that may push"))
	}
	return changes, s.allow(ctx, rule, c.AllowKeys)
}

// allow allows deploy keys to push to the branches of a rule.
func (s *Service) allow(ctx context.Context, rule model.ProtectedBranch, keys []int64) error {
	return orNoKey(s.store.Protections.AllowDeployKeys(ctx, rule, keys))
}

// orNoKey turns a deploy key that the project does not have into a 422.
func orNoKey(err error) error {
	if store.IsNotFound(err) {
		return apierr.Unprocessable("Push access levels deploy key is not enabled for this project")
	}
	return err
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
