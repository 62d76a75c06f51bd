package account

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// recoveryCodes is how many recovery codes a user gets.
const recoveryCodes = 10

// ErrCode means that a code of an authenticator app is wrong, expired, or was used before.
var ErrCode = errors.New("the code is invalid or was already used")

// TwoFactors sets up and checks second factors. The secrets of authenticator apps are encrypted with the instance's
// key.
type TwoFactors struct {
	store *store.Store
	vault secret.Vault
	now   func() time.Time
}

// NewTwoFactors returns the second factors of an instance. It returns an error if the secret key is too short.
func NewTwoFactors(st *store.Store, key string) (*TwoFactors, error) {
	vault, err := secret.NewVault(key, secret.SecondFactorPurpose)
	if err != nil {
		return nil, err
	}
	return &TwoFactors{store: st, vault: vault, now: time.Now}, nil
}

// Setup returns a new secret and the otpauth URL for a QR code. Setup stores nothing: the caller passes the secret to
// Enable.
func Setup(issuer, username string) (text, address string) {
	text = secret.TOTPText(secret.NewTOTP())
	query := url.Values{"secret": {text}, "issuer": {issuer}}
	label := url.PathEscape(issuer) + ":" + url.PathEscape(username)
	// Apps do not read + as a space.
	return text, "otpauth://totp/" + label + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// Enable activates the second factor that Setup began, once a code proves that the user's app has the secret. It
// returns the recovery codes, which are stored only as digests.
func (f *TwoFactors) Enable(ctx context.Context, userID int64, text, code string) ([]string, error) {
	key, err := secret.ParseTOTP(text)
	if err != nil {
		return nil, err
	}
	step, ok := secret.MatchTOTP(key, code, f.now(), 0)
	if !ok {
		return nil, ErrCode
	}
	codes, digests := newCodes()
	err = f.audited(ctx, userID, "user_enabled_two_factor", "Turned on two-factor authentication", func(ctx context.Context) error {
		return f.store.TwoFactors.Enable(ctx, userID, f.vault.Seal(key, sealContext(userID)), step, digests)
	})
	return codes, err
}

func newCodes() (codes []string, digests [][]byte) {
	for range recoveryCodes {
		code := secret.NewRecoveryCode()
		codes, digests = append(codes, code), append(digests, secret.RecoveryDigest(code))
	}
	return codes, digests
}

// Renew replaces the recovery codes of a user who has a second factor.
func (f *TwoFactors) Renew(ctx context.Context, userID int64) ([]string, error) {
	codes, digests := newCodes()
	err := f.audited(ctx, userID, "user_renewed_recovery_codes", "Generated new recovery codes", func(ctx context.Context) error {
		return f.store.TwoFactors.ReplaceCodes(ctx, userID, digests)
	})
	return codes, err
}

// Disable removes the second factor of a user.
func (f *TwoFactors) Disable(ctx context.Context, userID int64) error {
	return f.audited(ctx, userID, "user_disabled_two_factor", "Turned off two-factor authentication", func(ctx context.Context) error {
		return f.store.TwoFactors.Remove(ctx, userID)
	})
}

// DisableTwoFactor removes the second factor of another user, and reports whether there was one.
func (s *Service) DisableTwoFactor(ctx context.Context, u model.User) (had bool, err error) {
	err = events.Audited(ctx, s.store, func(ctx context.Context) (c events.Change, err error) {
		if had, err = s.store.TwoFactors.Disable(ctx, u.ID); had {
			c = events.OfUser(u, "user_disabled_two_factor", "Turned off two-factor authentication")
		}
		return c, err
	})
	return had, err
}

func (f *TwoFactors) audited(
	ctx context.Context, userID int64, kind, message string, write func(context.Context) error,
) error {
	return events.Audited(ctx, f.store, func(ctx context.Context) (events.Change, error) {
		in, err := events.Account(ctx, f.store, userID)
		if err == nil {
			err = write(ctx)
		}
		return events.Change{Type: kind, Entity: in, Target: in.AsTarget(), Message: message}, err
	})
}

// Verify reports whether a code of the user's app is valid, and consumes the code. For a user without a second factor,
// no code is valid.
func (f *TwoFactors) Verify(ctx context.Context, userID int64, code string) (bool, error) {
	row, err := f.store.TwoFactors.Get(ctx, userID)
	if store.IsNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	key, err := f.vault.Open(row.OtpSealed, sealContext(userID))
	if err != nil {
		return false, err
	}
	step, ok := secret.MatchTOTP(key, code, f.now(), row.OtpStep)
	if !ok {
		return false, nil
	}
	return f.store.TwoFactors.UseStep(ctx, userID, step)
}

// Recover reports whether the user has that recovery code, and consumes the code.
func (f *TwoFactors) Recover(ctx context.Context, userID int64, code string) (bool, error) {
	return f.store.TwoFactors.UseRecoveryCode(ctx, userID, secret.RecoveryDigest(code))
}

// sealContext names the user that a secret is encrypted for, so that a row copied to another user cannot be decrypted.
func sealContext(userID int64) string { return "user " + strconv.FormatInt(userID, 10) }
