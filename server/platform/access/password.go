package access

import (
	"context"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// OnLock sets the function that is called when failed attempts have locked an account.
func (a *Authenticator) OnLock(inform func(ctx context.Context, u model.User) error) {
	a.locked = inform
}

// OnBlocked sets the function that is called when a blocked user has entered the right password.
func (a *Authenticator) OnBlocked(inform func(ctx context.Context, u model.User) error) {
	a.blocked = inform
}

// CheckPassword returns the user with that username or email address and that password. An unknown user, a wrong
// password and a locked account give the same error after the same amount of work. Failures are counted, and too many
// lock the account for a while. A correct password does not reset the count, because another factor may still be
// needed. The caller must check the account's state, an expired password and the second factor.
func (a *Authenticator) CheckPassword(ctx context.Context, login, password string) (model.User, error) {
	u, err := a.store.Users.GetByLogin(ctx, login)
	if err != nil && !store.IsNotFound(err) {
		return model.User{}, err
	}
	known := err == nil && u.Kind == model.UserHuman && u.PasswordHash != ""
	hash := u.PasswordHash
	if !known {
		hash = unmatchableHash // so that the response time does not reveal which users exist
	}
	good, err := secret.CheckPassword(ctx, hash, password)
	switch {
	case err != nil:
		return model.User{}, err
	case !known:
		return model.User{}, a.unknown(ctx, login)
	case !good:
		return model.User{}, a.CountFailure(ctx, u)
	case Locked(a.store, u, clock.Now(ctx)):
		return model.User{}, apierr.Unauthorized()
	case a.blocked != nil && (u.State == model.UserBlocked || u.State == model.UserLDAPBlocked):
		return u, a.blocked(ctx, u)
	}
	return u, nil
}

// CountFailure counts a failed attempt to sign in as a user, and returns the refusal.
func (a *Authenticator) CountFailure(ctx context.Context, u model.User) error {
	err := a.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := a.store.Users.CountFailedSignIn(ctx, u.ID, a.store.Settings.Current().LoginAttempts(),
			LockCutoff(a.store, clock.Now(ctx)))
		if err != nil {
			return err
		}
		c := events.OfUser(u, "user_sign_in_failed", "Failed to sign in")
		c.Author = &events.Author{Name: u.Name} // the client has not proved to be the user
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

// maxLogin is the number of characters of an unknown login that the audit event keeps.
const maxLogin = 255

// unknown records an attempt to sign in with an unknown login as an audit event, and returns the refusal.
func (a *Authenticator) unknown(ctx context.Context, login string) error {
	login = strings.ToValidUTF8(strings.ReplaceAll(login, "\x00", ""), "")
	if runes := []rune(login); len(runes) > maxLogin {
		login = string(runes[:maxLogin])
	}
	err := events.Audit(ctx, a.store, events.Change{
		Type: "unknown_sign_in_failed", Entity: events.Instance,
		Target: events.Target{Type: "User", ID: login, Details: login}, Message: "Failed to sign in",
		Author: &events.Author{},
	})
	if err != nil {
		return err
	}
	return apierr.Unauthorized()
}

// Locked reports whether an account is locked at a time because of failed attempts.
func Locked(st *store.Store, u model.User, now time.Time) bool {
	return u.LockedAt != nil && u.LockedAt.After(LockCutoff(st, now))
}

// LockCutoff returns the start time of a lock that ends now: locks that began earlier are over.
func LockCutoff(st *store.Store, now time.Time) time.Time {
	return now.UTC().Add(-st.Settings.Current().LockTime())
}

// PasswordExpired reports whether the user must change the password before using it.
func PasswordExpired(u model.User, now time.Time) bool {
	return u.PasswordExpiresAt != nil && !u.PasswordExpiresAt.After(now)
}

// Password returns the caller with a username or email address and a password, for clients like git that send nothing
// else. The error does not reveal which part is wrong; an account with a second factor needs a token instead.
func (a *Authenticator) Password(ctx context.Context, login, password string) (*reqctx.Actor, error) {
	if IsToken(password) {
		return nil, apierr.Unauthorized() // a client that keeps sending an expired token must not lock the account
	}
	u, err := a.CheckPassword(ctx, login, password)
	switch {
	case err != nil:
		return nil, err
	case PasswordExpired(u, clock.Now(ctx)), u.ConfirmedAt == nil: // the same as on the sign-in page
		return nil, apierr.Unauthorized()
	case u.TwoFactor:
		return nil, ErrSecondFactor
	}
	due, err := a.store.Members.TwoFactorDue(ctx, u.ID)
	if err != nil {
		return nil, err
	}
	if due != nil && !clock.Now(ctx).Before(*due) {
		return nil, ErrFactorRequired
	}
	if u.FailedAttempts > 0 {
		if err := a.store.Users.ResetFailedSignIns(ctx, u.ID); err != nil {
			return nil, err
		}
	}
	return a.admit(ctx, &reqctx.Actor{User: u.Caller(), Kind: reqctx.Password})
}

// IsToken reports whether a password has the form of a token; such a text is nobody's password.
func IsToken(password string) bool {
	return strings.HasPrefix(password, secret.TokenPrefix) || strings.HasPrefix(password, secret.DeployTokenPrefix)
}

// ErrSecondFactor refuses a correct password because the account has a second factor.
var ErrSecondFactor = apierr.Unauthorized("Two-factor authentication is on: use a personal access token instead of the password")

// ErrFactorRequired refuses a correct password because a group requires a second factor and the user has none.
var ErrFactorRequired = apierr.Unauthorized(
	"One of your groups requires two-factor authentication: turn it on and use a personal access token",
)

// unmatchableHash is a hash that matches no password.
const unmatchableHash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
