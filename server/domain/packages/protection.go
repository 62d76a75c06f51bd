package packages

import (
	"context"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// CheckPush refuses a client that a protection rule does not allow to publish a package.
func (s *Service) CheckPush(ctx context.Context, by Publisher, kind, name string) error {
	rules, err := s.store.PackageProtectionRules.OfType(ctx, by.Project.Project.ID, kind)
	if err != nil {
		return err
	}
	for _, rule := range rules {
		level := rule.MinimumAccessLevelForPush
		if level == nil || !store.Matches(rule.PackageNamePattern, name) {
			continue
		}
		if by.DeployToken || !reaches(by.Project, *level) {
			return apierr.Forbidden("Package protected.")
		}
	}
	return nil
}

// checkDelete refuses a user whom a protection rule does not allow to delete a package.
func (s *Service) checkDelete(ctx context.Context, in model.ProjectRow, p model.Package) error {
	rules, err := s.store.PackageProtectionRules.OfType(ctx, p.ProjectID, p.PackageType)
	if err != nil {
		return err
	}
	for _, rule := range rules {
		level := rule.MinimumAccessLevelForDelete
		if level != nil && store.Matches(rule.PackageNamePattern, p.Name) && !reaches(in, *level) {
			return apierr.Forbidden("Package is deletion protected.")
		}
	}
	return nil
}

// reaches reports whether a user has at least the level of a rule.
func reaches(row model.ProjectRow, level string) bool {
	switch level {
	case model.PackageLevelMaintainer:
		return row.Role() >= model.Maintainer
	case model.PackageLevelOwner:
		return row.Role() >= model.Owner
	}
	return row.Admin
}

// RuleChange describes a new protection rule, or what to change in one. Fields that are not set stay as they are.
type RuleChange struct {
	Pattern *string
	Type    *string
	Push    wire.Optional[string]
	Delete  wire.Optional[string]
}

// CreateRule adds a protection rule to a project.
func (s *Service) CreateRule(ctx context.Context, p model.Project, c RuleChange) (model.PackageProtectionRule, error) {
	rule, err := c.apply(model.PackageProtectionRule{ProjectID: p.ID})
	if err != nil {
		return rule, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PackageProtectionRules.Create(ctx, &rule)
		return ruleChange(p, rule, "package_protection_rule_created", "Added package protection rule"), err
	})
	return rule, Duplicate(err, errPatternTaken())
}

// ChangeRule changes a protection rule.
func (s *Service) ChangeRule(
	ctx context.Context, p model.Project, rule model.PackageProtectionRule, c RuleChange,
) (model.PackageProtectionRule, error) {
	changed, err := c.apply(rule)
	if err != nil {
		return rule, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		err := s.store.PackageProtectionRules.Save(ctx, &changed)
		return events.Differences(rule, changed, ruleChange(p, rule, "package_protection_rule_updated", "")), err
	})
	return changed, Duplicate(err, errPatternTaken())
}

// DeleteRule deletes a protection rule. With unmodifiedSince, it fails if the rule has changed since then.
func (s *Service) DeleteRule(
	ctx context.Context, p model.Project, rule model.PackageProtectionRule, unmodifiedSince *time.Time,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.PackageProtectionRules.Delete(ctx, rule, unmodifiedSince)
		return ruleChange(p, rule, "package_protection_rule_deleted", "Removed package protection rule"), err
	})
}

func errPatternTaken() error {
	return apierr.Unprocessable("Validation failed: Package name pattern has already been taken")
}

// apply returns a rule with the changes, or what is wrong with it.
func (c RuleChange) apply(rule model.PackageProtectionRule) (model.PackageProtectionRule, error) {
	if c.Pattern != nil {
		rule.PackageNamePattern = *c.Pattern
	}
	if c.Type != nil {
		rule.PackageType = *c.Type
	}
	if c.Push.IsSet() {
		rule.MinimumAccessLevelForPush = c.Push.Ptr()
	}
	if c.Delete.IsSet() {
		rule.MinimumAccessLevelForDelete = c.Delete.Ptr()
	}
	switch {
	case strings.TrimSpace(rule.PackageNamePattern) == "":
		return rule, apierr.Unprocessable("Validation failed: Package name pattern can't be blank")
	case strings.Count(rule.PackageNamePattern, "*") > maxWildcards:
		return rule, apierr.Unprocessable("Validation failed: Package name pattern has too many wildcards")
	case rule.MinimumAccessLevelForPush == nil && rule.MinimumAccessLevelForDelete == nil:
		return rule, apierr.Unprocessable("Validation failed: A rule must have at least a minimum access level for push or delete.")
	}
	return rule, nil
}

// maxWildcards is the largest number of stars in a pattern.
const maxWildcards = 10

// ruleChange describes a change of a rule for the audit log.
func ruleChange(p model.Project, rule model.PackageProtectionRule, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{
			Type: "Packages::Protection::Rule", ID: rule.ID, Details: rule.PackageType + " " + rule.PackageNamePattern,
		},
	}
}
