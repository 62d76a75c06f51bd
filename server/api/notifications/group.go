package notifications

import (
	"context"

	"svc/gen"
	"svc/server/domain/notification"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store"
)

// GetGroupNotificationSettings shows the caller's notification settings for a group.
// GET /groups/{id}/notification_settings
func (n *Notifications) GetGroupNotificationSettings(
	ctx context.Context, req gen.GetGroupNotificationSettingsRequestObject,
) (gen.GetGroupNotificationSettingsResponseObject, error) {
	group, _, err := n.access.Group(ctx, req.ID, access.ReadGroupNotifications)
	if err != nil {
		return nil, err
	}
	scope := store.NotificationScope{GroupID: &group.ID}
	row, err := n.store.Notifications.Get(ctx, reqctx.Of(ctx).Actor.User.ID, scope)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}

// UpdateGroupNotificationSettings changes the caller's notification settings for a group.
// PUT /groups/{id}/notification_settings
func (n *Notifications) UpdateGroupNotificationSettings(
	ctx context.Context, req gen.UpdateGroupNotificationSettingsRequestObject,
) (gen.UpdateGroupNotificationSettingsResponseObject, error) {
	group, _, err := n.access.Group(ctx, req.ID, access.UpdateGroupNotifications)
	if err != nil {
		return nil, err
	}
	scope := store.NotificationScope{GroupID: &group.ID}
	flags, err := flagsFrom(req.Body)
	if err != nil {
		return nil, err
	}
	row, err := n.settings.Apply(
		ctx, reqctx.Of(ctx).Actor.User.ID, scope, notification.Change{Level: req.Body.Level, Flags: flags},
	)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}
