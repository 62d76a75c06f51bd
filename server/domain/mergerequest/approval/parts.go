package approval

import (
	"context"
	"slices"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// equal reports whether two rules have the same users, groups and branches.
func (p Parts) equal(q Parts) bool {
	return slices.Equal(p.Users, q.Users) && slices.Equal(p.Groups, q.Groups) && slices.Equal(p.Branches, q.Branches)
}

// partsOf reads the users, groups and branches of a rule.
func (s *Service) partsOf(ctx context.Context, ruleID int64) (Parts, error) {
	all, err := s.store.ApprovalRules.Parts(ctx, []int64{ruleID})
	return Parts{Users: all.Users[ruleID], Groups: all.Groups[ruleID], Branches: all.Branches[ruleID]}, err
}

// saveParts replaces the users, groups and branches of a rule.
func (s *Service) saveParts(ctx context.Context, ruleID int64, p Parts) error {
	if err := s.store.ApprovalRules.SetUsers(ctx, ruleID, p.Users); err != nil {
		return gone(err, "user_ids")
	}
	if err := s.store.ApprovalRules.SetGroups(ctx, ruleID, p.Groups); err != nil {
		return gone(err, "group_ids")
	}
	return gone(s.store.ApprovalRules.SetBranches(ctx, ruleID, p.Branches), "protected_branch_ids")
}

// gone turns a part that was deleted meanwhile into a 400.
func gone(err error, field string) error {
	if store.IsNotFound(err) {
		return apierr.Invalid(field, unknown)
	}
	return err
}

const unknown = "has an unknown element"

// parts returns the users, groups and branches of a rule after a change, or what is wrong with them.
func (s *Service) parts(ctx context.Context, p model.Project, c Change, rule model.ApprovalRule, before Parts) (Parts, error) {
	after := before
	var err error
	if after.Users, err = s.users(ctx, c, before.Users); err != nil {
		return after, err
	}
	if after.Groups, err = s.groups(ctx, c, before.Groups); err != nil {
		return after, err
	}
	if c.BranchIDs != nil {
		after.Branches = sorted(*c.BranchIDs)
		known, err := s.store.Protections.Branches(ctx, p.ID)
		if err != nil {
			return after, err
		}
		for _, id := range after.Branches {
			if !slices.ContainsFunc(known, func(b model.ProtectedBranch) bool { return b.ID == id }) {
				return after, apierr.Invalid("protected_branch_ids", unknown)
			}
		}
	}
	if rule.AppliesToAllProtectedBranches {
		after.Branches = nil
	}
	return after, nil
}

// users returns the users of a rule after a change.
func (s *Service) users(ctx context.Context, c Change, before []int64) ([]int64, error) {
	if c.UserIDs == nil && c.Usernames == nil {
		return before, nil
	}
	var ids []int64
	if c.UserIDs != nil {
		ids = append(ids, *c.UserIDs...)
	}
	if c.Usernames != nil {
		for _, name := range *c.Usernames {
			user, err := s.store.Users.GetByUsername(ctx, name)
			if err != nil {
				return nil, gone(err, "usernames")
			}
			ids = append(ids, user.ID)
		}
	}
	ids = sorted(ids)
	known, err := s.store.Users.ByID(ctx, ids)
	if err == nil && len(known) < len(ids) {
		err = apierr.Invalid("user_ids", unknown)
	}
	return ids, err
}

// groups returns the groups of a rule after a change. The caller must be able to see new ones. Groups that the caller cannot
// see stay, unless the change removes them.
func (s *Service) groups(ctx context.Context, c Change, before []int64) ([]int64, error) {
	if c.GroupIDs == nil && !c.RemoveHiddenGroups {
		return before, nil
	}
	wanted := before
	if c.GroupIDs != nil {
		wanted = *c.GroupIDs
	}
	visible, err := s.store.Namespaces.VisibleGroups(ctx, append(slices.Clone(wanted), before...), access.Reader(ctx))
	if err != nil {
		return nil, err
	}
	var kept []int64
	for _, id := range wanted {
		_, seen := visible[id]
		switch {
		case seen:
			kept = append(kept, id)
		case !slices.Contains(before, id):
			return nil, apierr.Invalid("group_ids", unknown)
		}
	}
	for _, id := range before {
		if _, seen := visible[id]; !seen && !c.RemoveHiddenGroups {
			kept = append(kept, id)
		}
	}
	return sorted(kept), nil
}

// sorted returns the different IDs of a list in order.
func sorted(ids []int64) []int64 {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
