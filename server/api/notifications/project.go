package notifications

import (
	"context"

	"svc/gen"
	"svc/server/domain/notification"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store"
)

// GetProjectNotificationSettings shows the caller's notification settings for a project.
// GET /projects/{id}/notification_settings
func (n *Notifications) GetProjectNotificationSettings(
	ctx context.Context, req gen.GetProjectNotificationSettingsRequestObject,
) (gen.GetProjectNotificationSettingsResponseObject, error) {
	project, err := n.access.Project(ctx, req.ID, access.ReadProjectNotifications)
	if err != nil {
		return nil, err
	}
	scope := store.NotificationScope{ProjectID: &project.Project.ID}
	row, err := n.store.Notifications.Get(ctx, reqctx.Of(ctx).Actor.User.ID, scope)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}

// UpdateProjectNotificationSettings changes the caller's notification settings for a project.
// PUT /projects/{id}/notification_settings
func (n *Notifications) UpdateProjectNotificationSettings(
	ctx context.Context, req gen.UpdateProjectNotificationSettingsRequestObject,
) (gen.UpdateProjectNotificationSettingsResponseObject, error) {
	project, err := n.access.Project(ctx, req.ID, access.UpdateProjectNotifications)
	if err != nil {
		return nil, err
	}
	scope := store.NotificationScope{ProjectID: &project.Project.ID}
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
	return gen.UpdateProjectNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}
