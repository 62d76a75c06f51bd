package token

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/secret"
)

// defaultRotationDays is the lifetime of a rotated token in days, unless the caller gives an expiry.
const defaultRotationDays = 7

// Rotate replaces a token of any kind. It returns the new row and its secret. The audit event belongs to the account of
// the token's user, unless in names another entity.
func (s *Service) Rotate(
	ctx context.Context, old model.PersonalAccessToken, expires *time.Time, now time.Time, in ...events.Entity,
) (model.PersonalAccessToken, string, error) {
	if old.Impersonation {
		return old, "", apierr.MethodNotAllowed()
	}
	end, err := s.longest().Expiry(expires, defaultRotationDays, now)
	if err != nil {
		return old, "", apierr.BadRequest(err.Error())
	}
	if !end.After(now) { // a new token that has expired already is of no use to anybody
		return old, "", apierr.BadRequest("Expires at must be in the future")
	}
	if !old.Revoked && old.Expired(now) {
		return old, "", apierr.WithCode(apierr.Unauthorized("token already expired"), apierr.TokenExpired)
	}
	plain := secret.NewToken()
	row, done, err := Rotate(ctx, s.store, old, secret.Digest(plain), end, in...)
	if err == nil && !done {
		err = apierr.WithCode(apierr.Unauthorized("token already revoked"), apierr.TokenRevoked)
	}
	return row, plain, err
}
