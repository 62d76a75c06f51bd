package account

import (
	"context"
	"time"

	"svc/server/domain/customattribute"
	"svc/server/platform/events"
	"svc/store/model"
)

// SetAttribute sets a custom attribute of a user.
func (s *Service) SetAttribute(
	ctx context.Context, u model.User, key, value string,
) (model.UserCustomAttribute, error) {
	row := model.UserCustomAttribute{UserID: u.ID, Key: key, Value: value}
	if err := customattribute.Check(key, value); err != nil {
		return row, err
	}
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := attributeChange(u, key, "custom_attribute_set", "Set custom attribute")
		return c, s.store.CustomAttributes.Put(ctx, &row)
	})
	return row, err
}

// RemoveAttribute removes a custom attribute from a user, unless the attribute was changed after the given time.
func (s *Service) RemoveAttribute(ctx context.Context, u model.User, key string, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.CustomAttributes.Delete(ctx, u.ID, key, unchangedSince)
		return attributeChange(u, key, "custom_attribute_deleted", "Removed custom attribute"), err
	})
}

func attributeChange(u model.User, key, kind, message string) events.Change {
	c := events.OfUser(u, kind, message)
	c.Target = customattribute.Target(key)
	return c
}
