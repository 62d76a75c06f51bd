package notifications

import (
	"context"

	"svc/gen"
	"svc/server/domain/notification"
	"svc/server/platform/access"
	"svc/store"
)

// GetNotificationSettings shows the caller's global notification settings.
// GET /notification_settings
func (n *Notifications) GetNotificationSettings(
	ctx context.Context, _ gen.GetNotificationSettingsRequestObject,
) (gen.GetNotificationSettingsResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadOwnNotices)
	if err != nil {
		return nil, err
	}
	row, err := n.store.Notifications.Get(ctx, actor.User.ID, store.NotificationScope{})
	if err != nil {
		return nil, err
	}
	shown, err := n.global(ctx, row)
	return gen.GetNotificationSettings200JSONResponse(shown), err
}

// UpdateNotificationSettings changes the caller's global notification settings.
// PUT /notification_settings
func (n *Notifications) UpdateNotificationSettings(
	ctx context.Context, req gen.UpdateNotificationSettingsRequestObject,
) (gen.UpdateNotificationSettingsResponseObject, error) {
	actor, err := access.Allow(ctx, access.UpdateOwnNotices)
	if err != nil {
		return nil, err
	}
	b := req.Body
	flags, err := flagsFrom(b)
	if err != nil {
		return nil, err
	}
	row, err := n.settings.Apply(ctx, actor.User.ID, store.NotificationScope{}, notification.Change{
		Level: b.Level, Flags: flags, SetEmail: b.NotificationEmail.IsSet(), Email: b.NotificationEmail.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	shown, err := n.global(ctx, row)
	return gen.UpdateNotificationSettings200JSONResponse(shown), err
}
