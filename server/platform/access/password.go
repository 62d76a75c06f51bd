package access

import (
	"context"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

const (
	// MaxAttempts is how many failed attempts to sign in lock an account.
	MaxAttempts = 10
	// LockTime is how long it stays locked.
	LockTime = 10 * time.Minute
)

// OnLock is called when failed attempts have locked an account.
func (a *Authenticator) OnLock(tell func(ctx context.Context, u model.User) error) { a.locked = tell }

// CheckPassword returns the user with that username or address and password. It is the same failure, after the same work,
// whatever is wrong: nobody of that name, another password, or a locked account. Failures count, and too many lock the
// account for a time; a right password does not clear them, because it may not be all that is asked for. The account's
// state, an expired password and a second factor are the caller's to look at.
func (a *Authenticator) CheckPassword(ctx context.Context, login, password string) (model.User, error) {
	u, err := a.store.Users.GetByLogin(ctx, login)
	if err != nil && !store.IsNotFound(err) {
		return model.User{}, err
	}
	known := err == nil && u.Kind == model.UserHuman && u.PasswordHash != ""
	hash := u.PasswordHash
	if !known {
		hash = nobody // so that the time does not tell who exists
	}
	good, err := secret.CheckPassword(ctx, hash, password)
	switch {
	case err != nil:
		return model.User{}, err
	case !known:
		return model.User{}, a.unknown(ctx, login)
	case !good:
		return model.User{}, a.Failed(ctx, u)
	case Locked(u, time.Now()):
		return model.User{}, apierr.Unauthorized()
	}
	return u, nil
}

// Failed counts a failed attempt to sign in as a user, and is the refusal.
func (a *Authenticator) Failed(ctx context.Context, u model.User) error {
	err := a.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := a.store.Users.Fail(ctx, u.ID, MaxAttempts, LocksOver(time.Now()))
		if err != nil {
			return err
		}
		c := events.OfUser(u, "user_sign_in_failed", "Failed to sign in")
		c.Author = &events.Author{Name: u.Name} // who has not proved to be anybody
		if err := events.Audit(ctx, a.store, c); err != nil || !locked || a.locked == nil {
			return err
		}
		return a.locked(ctx, u)
	})
	if err != nil {
		return err
	}
	return apierr.Unauthorized()
}

// maxLogin is how much of a name that nobody has is written down.
const maxLogin = 255

// unknown writes down that somebody tried a name that nobody has, and is the refusal.
func (a *Authenticator) unknown(ctx context.Context, login string) error {
	login = strings.ToValidUTF8(strings.ReplaceAll(login, "\x00", ""), "")
	if runes := []rune(login); len(runes) > maxLogin {
		login = string(runes[:maxLogin])
	}
	err := events.Audit(ctx, a.store, events.Change{
		Type: "unknown_sign_in_failed", Entity: events.Instance, Target: events.Target{Type: "User", ID: login, Details: login}, Message: "Failed to sign in",
		Author: &events.Author{},
	})
	if err != nil {
		return err
	}
	return apierr.Unauthorized()
}

// Locked tells whether failed attempts keep an account shut at a time.
func Locked(u model.User, now time.Time) bool {
	return u.LockedAt != nil && u.LockedAt.After(LocksOver(now))
}

// LocksOver is the time before which a lock must have begun to be over now.
func LocksOver(now time.Time) time.Time { return now.UTC().Add(-LockTime) }

// PasswordExpired tells whether a password has to be changed before it opens anything.
func PasswordExpired(u model.User, now time.Time) bool {
	return u.PasswordExpiresAt != nil && !u.PasswordExpiresAt.After(now)
}

// Password returns the caller behind a username or address and a password that is all they show, as with git. It is the same
// failure whatever is wrong; an account with a second factor needs a token instead.
func (a *Authenticator) Password(ctx context.Context, login, password string) (*reqctx.Actor, error) {
	if IsToken(password) {
		return nil, apierr.Unauthorized() // a token that is no longer good, sent over and over, must not lock the account
	}
	u, err := a.CheckPassword(ctx, login, password)
	switch {
	case err != nil:
		return nil, err
	case PasswordExpired(u, time.Now()), u.ConfirmedAt == nil: // as on the page to sign in
		return nil, apierr.Unauthorized()
	case u.TwoFactor:
		return nil, ErrSecondFactor
	}
	due, err := a.store.Members.TwoFactorDue(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	if due != nil && !time.Now().Before(*due) {
		return nil, ErrFactorRequired
	}
	if u.FailedAttempts > 0 {
		if err := a.store.Users.Forgive(ctx, u.ID); err != nil {
			return nil, err
		}
	}
	return a.admit(&reqctx.Actor{User: u.Caller(), Kind: reqctx.Password})
}

// IsToken is true for what looks like a token, and so is nobody's password.
func IsToken(password string) bool {
	return strings.HasPrefix(password, secret.TokenPrefix) || strings.HasPrefix(password, secret.DeployTokenPrefix)
}

// ErrSecondFactor is a right password that does not suffice.
var ErrSecondFactor = apierr.Unauthorized("A second factor is on: use a personal access token instead of the password")

// ErrFactorRequired is a right password of a user of whom a group requires a second factor that they do not have.
var ErrFactorRequired = apierr.Unauthorized("One of your groups requires two-factor authentication: turn it on and use a personal access token")

// nobody is the hash of a password that nobody has.
const nobody = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
