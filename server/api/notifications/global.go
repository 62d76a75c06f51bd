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
