package account

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// AddEmail adds a mail address to a user. Unless confirmed is set, it mails the user a link that confirms the address.
func (l *Mails) AddEmail(
	ctx context.Context, userID int64, address string, confirmed bool,
) (model.Email, FieldErrors, error) {
	broken := FieldErrors{}
	if CheckEmail(broken, "email", address); len(broken) > 0 {
		return model.Email{}, broken, nil
	}
	row := model.Email{UserID: userID, Email: address}
	if now := clock.Now(ctx).UTC(); confirmed {
		row.ConfirmedAt = &now
	}
	err := l.store.Tx(ctx, func(ctx context.Context) error {
		if err := l.store.Emails.Create(ctx, &row); err != nil {
			return err
		}
		u, err := l.store.Users.Get(ctx, userID)
		if err != nil {
			return err
		}
		if err := events.Audit(
			ctx, l.store, emailChange(events.User(u.ID, u.Username), row, "email_created", "Added address"),
		); err != nil || confirmed {
			return err
		}
		return l.SendConfirmation(ctx, u, address)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		return row, FieldErrors{"email": {"has already been taken"}}, nil
	}
	return row, nil, err
}

// RemoveEmail removes a secondary address from a user, unless the address was changed after the given time.
func RemoveEmail(ctx context.Context, st *store.Store, userID, id int64, unchangedSince *time.Time) error {
	return events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		row, err := st.Emails.GetOfUser(ctx, userID, id)
		if err != nil {
			return events.Change{}, err
		}
		in, err := events.Account(ctx, st, userID)
		if err == nil {
			err = st.Emails.DeleteOfUser(ctx, userID, id, unchangedSince)
		}
		return emailChange(in, row, "email_destroyed", "Removed address"), err
	})
}

func emailChange(in events.Entity, row model.Email, kind, message string) events.Change {
	target := events.Target{Type: "Email", ID: row.ID, Details: row.Email}
	return events.Change{Type: kind, Entity: in, Target: target, Message: message}
}
