// Package protectedenvironment decides who may deploy to environments, and whose approvals deployments need. It also creates,
// changes and deletes the rules.
//
//	protectedenvironment.go  the rules for some environments of a project: who may deploy
//	approval.go              which approvals a deployment has and lacks
//	people.go                the roles and groups of users
//	change.go                create, change and delete protected environments
//	input.go                 checks of the rules that users send
package protectedenvironment

import (
	"context"
	"slices"

	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
)

// Protection is a protected environment with its rules.
type Protection struct {
	Environment model.ProtectedEnvironment
	Deployers   []model.ProtectedEnvironmentRule
	Approvers   []model.ProtectedEnvironmentRule
}

// Rules are the protections that apply to some environments of a project.
type Rules struct {
	store     *store.Store
	projectID int64
	byName    map[string][]Protection // by the name of the environment
	people    people
}

// Load reads the protections of environments of a project, by name. The environments need not exist.
func Load(ctx context.Context, st *store.Store, projectID int64, names ...string) (*Rules, error) {
	r := &Rules{store: st, projectID: projectID, byName: map[string][]Protection{}}
	rows, err := st.ProtectedEnvironments.For(ctx, projectID, names)
	if err != nil || len(rows) == 0 {
		return r, err
	}
	rules, err := st.ProtectedEnvironments.Rules(ctx, ids(rows))
	if err != nil {
		return nil, err
	}
	tiers := map[string]string{}
	if slices.ContainsFunc(rows, func(e model.ProtectedEnvironment) bool { return e.GroupID != nil }) {
		if tiers, err = st.Environments.Tiers(ctx, projectID, names); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		tier, known := tiers[name]
		if !known {
			tier = variables.EnvironmentTier(name)
		}
		for _, row := range rows {
			if row.GroupID == nil && row.Name == name || row.GroupID != nil && row.Name == tier {
				r.byName[name] = append(r.byName[name], protection(row, rules[row.ID]))
			}
		}
	}
	return r, nil
}

func ids(rows []model.ProtectedEnvironment) []int64 {
	list := make([]int64, len(rows))
	for i, row := range rows {
		list[i] = row.ID
	}
	return list
}

// protection separates the rules of a protected environment by their kinds.
func protection(row model.ProtectedEnvironment, rules []model.ProtectedEnvironmentRule) Protection {
	p := Protection{Environment: row}
	for _, rule := range rules {
		if rule.Kind == model.RuleApproval {
			p.Approvers = append(p.Approvers, rule)
		} else {
			p.Deployers = append(p.Deployers, rule)
		}
	}
	return p
}

// Protects reports whether an environment is protected.
func (r *Rules) Protects(name string) bool { return len(r.byName[name]) > 0 }

// MayDeploy reports whether a user may deploy to an environment. If the project and groups protect it, all of them must allow
// it. The caller also has to check that the user may run jobs in the project.
func (r *Rules) MayDeploy(ctx context.Context, name string, userID int64) (bool, error) {
	if !r.Protects(name) {
		return true, nil
	}
	if err := r.load(ctx, userID); err != nil {
		return false, err
	}
	for _, p := range r.byName[name] {
		if !r.people.fitsAny(p.Deployers, userID) {
			return false, nil
		}
	}
	return true, nil
}
