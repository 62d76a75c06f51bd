package notifications

import (
	"context"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
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

// global presents the global settings. The email address defaults to the user's primary address.
func (n *Notifications) global(ctx context.Context, row model.NotificationSetting) (gen.NotificationSettings, error) {
	shown := gen.NotificationSettings{
		Level: gen.NotificationLevel(row.Level), NotificationEmail: row.NotificationEmail, Events: n.events(row),
	}
	if shown.NotificationEmail == nil {
		u, err := n.store.Users.Get(ctx, row.UserID)
		if err != nil {
			return shown, err
		}
		shown.NotificationEmail = &u.Email
	}
	return shown, nil
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
	var address *string
	if b.NotificationEmail.IsSet() {
		if address, err = n.address(ctx, actor, b.NotificationEmail.Ptr()); err != nil {
			return nil, err
		}
	}
	row, err := n.change(ctx, actor.User.ID, store.NotificationScope{}, b.Level, b, func(row *model.NotificationSetting) {
		if b.NotificationEmail.IsSet() {
			row.NotificationEmail = address
		}
	})
	if err != nil {
		return nil, err
	}
	shown, err := n.global(ctx, row)
	return gen.UpdateNotificationSettings200JSONResponse(shown), err
}

// address checks that the given address is a confirmed one of the caller. It returns nil for the primary address,
// because that may change later.
func (n *Notifications) address(ctx context.Context, actor *reqctx.Actor, given *string) (*string, error) {
	if given == nil || *given == "" {
		return nil, nil
	}
	owner, row, err := n.store.Emails.Owner(ctx, *given)
	if store.IsNotFound(err) || (err == nil && (owner.ID != actor.User.ID || row.ConfirmedAt == nil && row.ID != 0)) {
		return nil, apierr.Invalid("notification_email", "must be an email you have verified")
	}
	if err != nil || strings.EqualFold(owner.Email, *given) {
		return nil, err
	}
	return &row.Email, nil
}

// GetGroupNotificationSettings shows the caller's notification settings for a group.
// GET /groups/{id}/notification_settings
func (n *Notifications) GetGroupNotificationSettings(
	ctx context.Context, req gen.GetGroupNotificationSettingsRequestObject,
) (gen.GetGroupNotificationSettingsResponseObject, error) {
	group, _, err := n.access.Group(ctx, req.ID, access.ReadGroupNotifications)
	if err != nil {
		return nil, err
	}
	row, err := n.store.Notifications.Get(ctx, reqctx.Of(ctx).Actor.User.ID, store.NotificationScope{GroupID: &group.ID})
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
	row, err := n.change(ctx, reqctx.Of(ctx).Actor.User.ID, store.NotificationScope{GroupID: &group.ID}, req.Body.Level, req.Body, nil)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}

// GetProjectNotificationSettings shows the caller's notification settings for a project.
// GET /projects/{id}/notification_settings
func (n *Notifications) GetProjectNotificationSettings(
	ctx context.Context, req gen.GetProjectNotificationSettingsRequestObject,
) (gen.GetProjectNotificationSettingsResponseObject, error) {
	project, err := n.access.Project(ctx, req.ID, access.ReadProjectNotifications)
	if err != nil {
		return nil, err
	}
	row, err := n.store.Notifications.Get(ctx, reqctx.Of(ctx).Actor.User.ID, store.NotificationScope{ProjectID: &project.Project.ID})
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
	row, err := n.change(
		ctx,
		reqctx.Of(ctx).Actor.User.ID,
		store.NotificationScope{ProjectID: &project.Project.ID},
		req.Body.Level,
		req.Body,
		nil,
	)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectNotificationSettings200JSONResponse(n.presentPlace(row)), nil
}
