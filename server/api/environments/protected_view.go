package environments

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/ci/protectedenvironment"
	"svc/store/model"
)

// protectionChange reads the rules of a request.
func protectionChange(
	deployers *[]gen.EnvironmentAccessLevelInput, approvers *[]gen.EnvironmentApprovalRuleInput, count *int64,
) protectedenvironment.Change {
	c := protectedenvironment.Change{RequiredApprovals: count}
	for _, given := range wire.Value(deployers) {
		c.Deployers = append(c.Deployers, protectedenvironment.RuleChange{
			ID: given.ID, Remove: wire.Value(given.UnderscoreDestroy), UserID: given.UserID, GroupID: given.GroupID,
			AccessLevel: (*model.Access)(given.AccessLevel), Inheritance: (*int64)(given.GroupInheritanceType),
		})
	}
	for _, given := range wire.Value(approvers) {
		c.Approvers = append(c.Approvers, protectedenvironment.RuleChange{
			ID: given.ID, Remove: wire.Value(given.UnderscoreDestroy), UserID: given.UserID, GroupID: given.GroupID,
			AccessLevel: (*model.Access)(given.AccessLevel), Inheritance: (*int64)(given.GroupInheritanceType),
			RequiredApprovals: given.RequiredApprovals,
		})
	}
	return c
}

// presentOne returns a function that presents one protected environment, unless there is an error.
func (e *Environments) presentOne(ctx context.Context) func(protectedenvironment.Protection, error) (gen.ProtectedEnvironment, error) {
	return func(p protectedenvironment.Protection, err error) (gen.ProtectedEnvironment, error) {
		if err != nil {
			return gen.ProtectedEnvironment{}, err
		}
		shown, err := e.presentProtected(ctx, []protectedenvironment.Protection{p})
		if err != nil {
			return gen.ProtectedEnvironment{}, err
		}
		return shown[0], nil
	}
}

// presentProtected presents protected environments.
func (e *Environments) presentProtected(
	ctx context.Context, rows []protectedenvironment.Protection,
) ([]gen.ProtectedEnvironment, error) {
	var rules []model.ProtectedEnvironmentRule
	for _, row := range rows {
		rules = append(append(rules, row.Deployers...), row.Approvers...)
	}
	words, err := protectedenvironment.Describe(ctx, e.store, rules)
	if err != nil {
		return nil, err
	}
	shown := make([]gen.ProtectedEnvironment, len(rows))
	for i, row := range rows {
		one := gen.ProtectedEnvironment{
			Name: row.Environment.Name, RequiredApprovalCount: row.Environment.RequiredApprovalCount,
			DeployAccessLevels: []gen.EnvironmentAccessLevel{}, ApprovalRules: []gen.EnvironmentApprovalRule{},
		}
		for _, r := range row.Deployers {
			one.DeployAccessLevels = append(one.DeployAccessLevels, gen.EnvironmentAccessLevel{
				ID: r.ID, AccessLevel: (*int64)(r.AccessLevel), AccessLevelDescription: words[r.ID], UserID: r.UserID, GroupID: r.GroupID,
				GroupInheritanceType: gen.GroupInheritanceType(r.GroupInheritanceType),
			})
		}
		for _, r := range row.Approvers {
			one.ApprovalRules = append(one.ApprovalRules, gen.EnvironmentApprovalRule{
				ID: r.ID, AccessLevel: (*int64)(r.AccessLevel), AccessLevelDescription: words[r.ID], UserID: r.UserID, GroupID: r.GroupID,
				GroupInheritanceType: gen.GroupInheritanceType(r.GroupInheritanceType), RequiredApprovals: r.RequiredApprovals,
			})
		}
		shown[i] = one
	}
	return shown, nil
}
