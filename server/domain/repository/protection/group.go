package protection

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// GroupBranchChange describes a new rule of a group, or what to change in one; nil fields stay as they are.
type GroupBranchChange struct {
	Push, Merge, Unprotect *model.Access
	ForcePush              *bool
}

// apply returns a rule with the changes.
func (c GroupBranchChange) apply(rule model.GroupProtectedBranch) model.GroupProtectedBranch {
	for _, field := range []struct{ to, given *model.Access }{
		{&rule.PushAccessLevel, c.Push}, {&rule.MergeAccessLevel, c.Merge}, {&rule.UnprotectAccessLevel, c.Unprotect},
	} {
		if field.given != nil {
			*field.to = *field.given
		}
	}
	if c.ForcePush != nil {
		rule.AllowForcePush = *c.ForcePush
	}
	return rule
}

// ProtectInGroup protects a branch, or all branches that match a wildcard, in all projects of a top-level group.
func (s *Service) ProtectInGroup(
	ctx context.Context, g model.Namespace, name string, c GroupBranchChange,
) (model.GroupProtectedBranch, error) {
	rule := c.apply(model.GroupProtectedBranch{
		GroupID: g.ID, Name: name, PushAccessLevel: model.Maintainer, MergeAccessLevel: model.Maintainer,
		UnprotectAccessLevel: model.Maintainer,
	})
	if g.ParentID != nil {
		return rule, apierr.Refused("Only top-level groups can protect branches")
	}
	if err := checkName(name); err != nil {
		return rule, err
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.GroupProtectedBranches.Create(ctx, &rule)
		return groupChange(g, rule, "protected_branch_created", "Added protected branch"), err
	})
	return rule, orConflict(err, "Protected branch '"+rule.Name+"' already exists")
}

// ChangeInGroup changes a rule of a group and returns it.
func (s *Service) ChangeInGroup(
	ctx context.Context, g model.Namespace, rule model.GroupProtectedBranch, c GroupBranchChange,
) (model.GroupProtectedBranch, error) {
	changed := c.apply(rule)
	err := events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		err := s.store.GroupProtectedBranches.Save(ctx, &changed)
		return events.Differences(rule, changed, groupChange(g, rule, "protected_branch_updated", "")), err
	})
	return changed, err
}

// UnprotectInGroup removes a rule of a group. It fails if the rule was changed after unmodifiedSince.
func (s *Service) UnprotectInGroup(
	ctx context.Context, g model.Namespace, rule model.GroupProtectedBranch, unmodifiedSince *time.Time,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.GroupProtectedBranches.Delete(ctx, rule, unmodifiedSince)
		return groupChange(g, rule, "protected_branch_deleted", "Removed protected branch"), err
	})
}

// groupChange returns the audit event of a change of a rule of a group.
func groupChange(g model.Namespace, rule model.GroupProtectedBranch, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Group(g), Message: message,
		Target: events.Target{Type: "ProtectedBranch", ID: rule.ID, Details: rule.Name},
	}
}
