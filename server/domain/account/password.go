package account

import (
	"context"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// NewPassword sets the password of a user. It ends all sessions of the user, deletes mailed links to reset the
// password, and unlocks the account. The functions in also run in the same transaction.
func NewPassword(
	ctx context.Context, st *store.Store, userID int64, password string, also ...func(ctx context.Context) error,
) error {
	hash, err := secret.HashPassword(ctx, password) // before the transaction, because it takes long
	if err != nil {
		return err
	}
	return st.Tx(ctx, func(ctx context.Context) error {
		for _, write := range also {
			if err := write(ctx); err != nil {
				return err
			}
		}
		set := map[string]any{"password_hash": hash, "password_expires_at": nil, "failed_attempts": 0, "locked_at": nil}
		if err := st.Users.Update(ctx, userID, set); err != nil {
			return err
		}
		if err := st.MailedTokens.DeleteOf(ctx, userID, model.MailedReset); err != nil {
			return err
		}
		u, err := st.Users.Get(ctx, userID)
		if err != nil {
			return err
		}
		if err := events.Audit(ctx, st, events.OfUser(u, "user_password_updated", "Changed password")); err != nil {
			return err
		}
		return st.Sessions.DeleteByUser(ctx, userID)
	})
}

// ChangePassword sets the password that the user chose, and mails the user a notice.
func (l *Mails) ChangePassword(ctx context.Context, u model.User, password string) error {
	return NewPassword(ctx, l.store, u.ID, password, func(ctx context.Context) error {
		return l.SendNotice(ctx, u, "Your password was changed", "The password of your account was changed.")
	})
}

// UserByResetToken returns the user whose password a mailed token can reset.
func (l *Mails) UserByResetToken(ctx context.Context, token string) (model.User, error) {
	row, err := l.store.MailedTokens.Get(ctx, model.MailedReset, secret.Digest(token), clock.Now(ctx).UTC())
	if err != nil {
		return model.User{}, err
	}
	return l.store.Users.Get(ctx, row.UserID)
}

// ResetPassword sets a new password with a mailed token and consumes the token. The token proves the address that it
// was mailed to, so that address becomes confirmed.
func (l *Mails) ResetPassword(ctx context.Context, u model.User, token, password string) error {
	return NewPassword(ctx, l.store, u.ID, password, func(ctx context.Context) error {
		now := clock.Now(ctx).UTC()
		row, err := l.store.MailedTokens.Consume(ctx, model.MailedReset, secret.Digest(token), now)
		if err != nil {
			return err
		}
		if _, err := l.store.Emails.Confirm(ctx, row.UserID, row.Email, now); err != nil {
			return err
		}
		return l.SendNotice(ctx, u, "Your password was changed",
			"The password of your account was changed through a link that we mailed to you.")
	})
}

// AddressByToken returns the address that a mailed token confirms.
func (l *Mails) AddressByToken(ctx context.Context, token string) (string, error) {
	row, err := l.store.MailedTokens.Get(ctx, model.MailedConfirmation, secret.Digest(token), clock.Now(ctx).UTC())
	return row.Email, err
}

// ConfirmAddress confirms the address that a mailed token was sent to, and consumes the token.
func (l *Mails) ConfirmAddress(ctx context.Context, token string) error {
	return l.store.Tx(ctx, func(ctx context.Context) error {
		now := clock.Now(ctx).UTC()
		row, err := l.store.MailedTokens.Consume(ctx, model.MailedConfirmation, secret.Digest(token), now)
		if err != nil {
			return err
		}
		found, err := l.store.Emails.Confirm(ctx, row.UserID, row.Email, now)
		if err == nil && !found { // the user has removed the address meanwhile
			err = &store.NotFoundError{Resource: "Email"}
		}
		return err
	})
}
