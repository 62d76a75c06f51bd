package featureflags

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/featureflag"
)

// newFlag reads the body of a new feature flag.
func newFlag(b gen.FeatureFlagCreate) featureflag.Change {
	c := featureflag.Change{Name: &b.Name, Description: b.Description, Active: b.Active}
	for _, strategy := range wire.Value(b.Strategies) {
		part := featureflag.StrategyChange{
			Name: &strategy.Name, Parameters: wire.Value(strategy.Parameters), UserListID: strategy.UserListID,
		}
		for _, scope := range wire.Value(strategy.Scopes) {
			part.Scopes = append(part.Scopes, featureflag.ScopeChange{Environment: &scope.EnvironmentScope})
		}
		c.Strategies = append(c.Strategies, part)
	}
	return c
}

// changeFrom reads the body of a change of a feature flag.
func changeFrom(b gen.FeatureFlagUpdate) featureflag.Change {
	c := featureflag.Change{Name: b.Name, Active: b.Active}
	if b.Description.IsSet() {
		c.Description = new(wire.Value(b.Description.Ptr()))
	}
	for _, strategy := range wire.Value(b.Strategies) {
		part := featureflag.StrategyChange{
			ID: strategy.ID, Name: strategy.Name, Parameters: wire.Value(strategy.Parameters), UserListID: strategy.UserListID,
			Remove: wire.Value(strategy.UnderscoreDestroy),
		}
		for _, scope := range wire.Value(strategy.Scopes) {
			part.Scopes = append(part.Scopes, featureflag.ScopeChange{
				ID: scope.ID, Environment: scope.EnvironmentScope, Remove: wire.Value(scope.UnderscoreDestroy),
			})
		}
		c.Strategies = append(c.Strategies, part)
	}
	return c
}
