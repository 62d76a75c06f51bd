package protectedenvironment

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// people are the facts about users that the rules ask for.
type people struct {
	known  map[int64]bool // users whose facts were read
	admins map[int64]bool
	roles  map[int64]model.Access // in the project
	groups map[membership]int64   // the distance to the group of the membership; 0 for a direct one
}

type membership struct{ groupID, userID int64 }

// load reads the facts about users, in a fixed number of queries.
func (r *Rules) load(ctx context.Context, userIDs ...int64) error {
	p := &r.people
	if p.known == nil {
		*p = people{map[int64]bool{}, map[int64]bool{}, map[int64]model.Access{}, map[membership]int64{}}
	}
	var missing []int64
	for _, id := range userIDs {
		if !p.known[id] {
			p.known[id] = true
			missing = append(missing, id)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	users, err := r.store.Users.ByID(ctx, missing)
	if err != nil {
		return err
	}
	for id, user := range users {
		p.admins[id] = user.Admin && user.State == model.UserActive
	}
	filter := store.MemberFilter{SourceType: model.SourceProject, SourceID: r.projectID, Inherited: true, UserIDs: missing}
	members, _, err := r.store.Members.List(ctx, filter, store.Page{Limit: len(missing)})
	if err != nil {
		return err
	}
	for _, m := range members {
		p.roles[m.Member.UserID] = m.Member.AccessLevel
	}
	found, err := r.store.Members.MembershipsIn(ctx, r.groupIDs(), missing)
	for _, m := range found {
		p.groups[membership{m.GroupID, m.UserID}] = m.Depth
	}
	return err
}

// groupIDs returns the groups that the rules name.
func (r *Rules) groupIDs() []int64 {
	var list []int64
	for _, protections := range r.byName {
		for _, p := range protections {
			for _, rules := range [][]model.ProtectedEnvironmentRule{p.Deployers, p.Approvers} {
				for _, rule := range rules {
					if rule.GroupID != nil {
						list = append(list, *rule.GroupID)
					}
				}
			}
		}
	}
	return list
}

// fits reports whether a rule names a user. Administrators fit every rule.
func (p *people) fits(rule model.ProtectedEnvironmentRule, userID int64) bool {
	switch {
	case p.admins[userID]:
		return true
	case rule.UserID != nil:
		return *rule.UserID == userID
	case rule.GroupID != nil:
		depth, member := p.groups[membership{*rule.GroupID, userID}]
		return member && (depth == 0 || rule.GroupInheritanceType == 1)
	case rule.AccessLevel != nil:
		return p.roles[userID] >= *rule.AccessLevel
	}
	return false
}

// fitsAny reports whether one of some rules names a user. Administrators fit also without a rule.
func (p *people) fitsAny(rules []model.ProtectedEnvironmentRule, userID int64) bool {
	for _, rule := range rules {
		if p.fits(rule, userID) {
			return true
		}
	}
	return p.admins[userID]
}
