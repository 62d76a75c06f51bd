package account

import (
	"context"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store/model"
)

// ChangeUsername changes the username of a user, and with it the path of their projects. It returns a
// *store.ConflictError if a user or a group has the name already.
func (l *Mails) ChangeUsername(ctx context.Context, u model.User, name string) error {
	return l.store.Tx(ctx, func(ctx context.Context) error {
		if err := l.store.Users.Update(ctx, u.ID, map[string]any{"username": name}); err != nil {
			return err
		}
		if u.NamespaceID != nil {
			if err := l.store.Namespaces.Rename(ctx, *u.NamespaceID, nil, &name); err != nil {
				return err
			}
		}
		if err := l.announceRenamed(ctx, u, name); err != nil {
			return err
		}
		c := events.OfUser(u, "user_username_updated", "Changed username")
		c.Field, c.From, c.To = "username", u.Username, name
		return events.Audit(ctx, l.store, c)
	})
}

// announceRenamed announces to webhooks that a user has another username, if it is another one.
func (l *Mails) announceRenamed(ctx context.Context, before model.User, username string) error {
	if username == before.Username {
		return nil
	}
	after := before
	after.Username = username
	return l.hooks.User(ctx, payload.EventUserRename, after, before.Username)
}
