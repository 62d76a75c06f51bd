package protection

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store/model"
)

// ProtectTag protects a tag, or all tags that match a wildcard.
func (s *Service) ProtectTag(
	ctx context.Context, p model.Project, rule model.ProtectedTag,
) (model.ProtectedTag, error) {
	if err := checkName(rule.Name); err != nil {
		return rule, err
	}
	rule.ProjectID = p.ID
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Protections.ProtectTag(ctx, &rule)
		return tagChange(p, rule, "protected_tag_created", "Added protected tag"), err
	})
	return rule, orConflict(err, "Protected tag '"+rule.Name+"' already exists")
}

// UnprotectTag removes the protection of a tag. It fails if the rule was changed after unmodifiedSince.
func (s *Service) UnprotectTag(
	ctx context.Context, p model.Project, rule model.ProtectedTag, unmodifiedSince *time.Time,
) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Protections.UnprotectTag(ctx, rule, unmodifiedSince)
		return tagChange(p, rule, "protected_tag_deleted", "Removed protected tag"), err
	})
}
