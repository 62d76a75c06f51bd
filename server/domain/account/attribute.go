package account

import (
	"context"
	"time"
	"unicode/utf8"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// SetAttribute sets a custom attribute of a user.
func (s *Service) SetAttribute(
	ctx context.Context, u model.User, key, value string,
) (model.UserCustomAttribute, error) {
	row := model.UserCustomAttribute{UserID: u.ID, Key: key, Value: value}
	broken := FieldErrors{}
	if utf8.RuneCountInString(key) > 255 {
		broken.Add("key", "is too long (maximum is 255 characters)")
	}
	switch {
	case value == "":
		broken.Add("value", "can't be blank")
	case utf8.RuneCountInString(value) > 10000:
		broken.Add("value", "is too long (maximum is 10000 characters)")
	}
	if len(broken) > 0 {
		return row, apierr.InvalidFields(broken)
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
	c.Target = events.Target{Type: "CustomAttribute", ID: key, Details: key}
	return c
}
