package protectedenvironment

import (
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// The members of requests that have rules.
const (
	deployLevels  = "deploy_access_levels"
	approvalRules = "approval_rules"
)

// maxRules is the largest number of rules of one kind that a protected environment has.
const maxRules = 50

// RuleChange describes a new rule, or with ID what to change in one.
type RuleChange struct {
	ID                *int64
	Remove            bool
	UserID            *int64
	GroupID           *int64
	AccessLevel       *model.Access
	Inheritance       *int64
	RequiredApprovals *int64
}

// rules returns the new and changed rules, and the IDs of those to remove, or what is wrong with the change.
func (s *Service) rules(
	ctx context.Context, o Owner, c Change, before Protection,
) (changed []model.ProtectedEnvironmentRule, removed []int64, err error) {
	lists := []struct {
		member, kind string
		given        []RuleChange
		known        []model.ProtectedEnvironmentRule
	}{
		{deployLevels, model.RuleDeploy, c.Deployers, before.Deployers},
		{approvalRules, model.RuleApproval, c.Approvers, before.Approvers},
	}
	for _, list := range lists {
		n := len(list.known)
		for _, given := range list.given {
			rule, err := given.apply(list.member, list.kind, list.known)
			switch {
			case err != nil:
				return nil, nil, err
			case given.Remove:
				removed, n = append(removed, rule.ID), n-1
				continue
			case rule.ID == 0:
				n++
			}
			changed = append(changed, rule)
		}
		if n > maxRules {
			return nil, nil, apierr.Invalid(list.member, "has more than 50 elements")
		}
		if n <= 0 && list.kind == model.RuleDeploy {
			return nil, nil, apierr.Invalid(list.member, "can't be blank")
		}
	}
	return changed, removed, s.checkPeople(ctx, o, changed)
}

// apply returns the rule that a change makes.
func (c RuleChange) apply(member, kind string, known []model.ProtectedEnvironmentRule) (model.ProtectedEnvironmentRule, error) {
	rule := model.ProtectedEnvironmentRule{Kind: kind}
	if kind == model.RuleApproval {
		rule.RequiredApprovals = 1
	}
	if c.ID != nil {
		at := slices.IndexFunc(known, func(r model.ProtectedEnvironmentRule) bool { return r.ID == *c.ID })
		if at < 0 {
			return rule, apierr.Invalid(member, "has an unknown id")
		}
		rule = known[at]
	}
	if c.Remove {
		if c.ID == nil {
			return rule, apierr.Invalid(member, "has an element with _destroy and without id")
		}
		return rule, nil
	}
	if c.UserID != nil || c.GroupID != nil || c.AccessLevel != nil {
		rule.UserID, rule.GroupID, rule.AccessLevel = c.UserID, c.GroupID, c.AccessLevel
	}
	n := 0
	for _, given := range []bool{rule.UserID != nil, rule.GroupID != nil, rule.AccessLevel != nil} {
		if given {
			n++
		}
	}
	if n != 1 {
		return rule, apierr.Invalid(member, "must each have exactly one of user_id, group_id and access_level")
	}
	if c.Inheritance != nil {
		rule.GroupInheritanceType = *c.Inheritance
	}
	if c.RequiredApprovals != nil {
		rule.RequiredApprovals = *c.RequiredApprovals
	}
	return rule, nil
}

// checkPeople refuses rules whose users are not members, or whose groups do not belong to the project or group.
func (s *Service) checkPeople(ctx context.Context, o Owner, rules []model.ProtectedEnvironmentRule) error {
	var users, groups []int64
	for _, rule := range rules {
		switch {
		case rule.UserID != nil && !slices.Contains(users, *rule.UserID):
			users = append(users, *rule.UserID)
		case rule.GroupID != nil && !slices.Contains(groups, *rule.GroupID):
			groups = append(groups, *rule.GroupID)
		}
	}
	filter := store.MemberFilter{Inherited: true, UserIDs: users}
	var related map[int64]bool
	var err error
	if o.Project != nil {
		filter.SourceType, filter.SourceID = model.SourceProject, o.Project.ID
		related, err = s.store.Projects.GroupsOfProject(ctx, o.Project.ID, groups)
	} else {
		filter.SourceType, filter.SourceID = model.SourceGroup, o.Group.ID
		related, err = s.store.Namespaces.GroupsOfGroup(ctx, o.Group.ID, groups)
	}
	if err != nil {
		return err
	}
	if len(related) < len(groups) {
		return apierr.Invalid("group_id", "must be a group that is invited")
	}
	if len(users) == 0 {
		return nil
	}
	members, _, err := s.store.Members.List(ctx, filter, store.Page{Limit: len(users)})
	if err == nil && len(members) < len(users) {
		err = apierr.Invalid("user_id", "must be a member")
	}
	return err
}

// roleWords are the descriptions of roles.
var roleWords = map[model.Access]string{model.Developer: "Developers + Maintainers", model.Maintainer: "Maintainers", 60: "Administrators"}

// Describe returns the description of each rule, by its ID: the role in words, or the name of the user or group.
func Describe(ctx context.Context, st *store.Store, rules []model.ProtectedEnvironmentRule) (map[int64]string, error) {
	var users, groups []int64
	for _, rule := range rules {
		switch {
		case rule.UserID != nil:
			users = append(users, *rule.UserID)
		case rule.GroupID != nil:
			groups = append(groups, *rule.GroupID)
		}
	}
	people, err := st.Users.ByID(ctx, users)
	if err != nil {
		return nil, err
	}
	places, err := st.Namespaces.VisibleGroups(ctx, groups, &store.Reader{Admin: true})
	if err != nil {
		return nil, err
	}
	words := make(map[int64]string, len(rules))
	for _, rule := range rules {
		switch {
		case rule.UserID != nil:
			words[rule.ID] = people[*rule.UserID].Name
		case rule.GroupID != nil:
			words[rule.ID] = places[*rule.GroupID].Name
		case rule.AccessLevel != nil:
			words[rule.ID] = roleWords[*rule.AccessLevel]
		}
	}
	return words, nil
}
