package token

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/secret"
)

// Create creates a token of a user and returns its secret, or the rules that the request breaks. Only humans and
// service accounts can have personal access tokens.
func (s *Service) Create(
	ctx context.Context, owner model.Caller, r Request, now time.Time,
) (row model.PersonalAccessToken, plain string, broken []BrokenRule, err error) {
	if owner.Kind != model.UserHuman && owner.Kind != model.UserServiceAccount {
		return row, "", nil, apierr.Unprocessable("Not permitted to create")
	}
	if row, broken = r.Build(owner, s.longest(), now); len(broken) > 0 {
		return row, "", broken, nil
	}
	plain = secret.NewToken()
	row.Digest = secret.Digest(plain)
	return row, plain, nil, Add(ctx, s.store, &row)
}

// Revoke revokes a token, unless the token was changed after the given time. A token that is revoked already is an
// error. The audit event belongs to the account of the token's user, unless in names another entity.
func (s *Service) Revoke(
	ctx context.Context, row model.PersonalAccessToken, unchangedSince *time.Time, in ...events.Entity,
) error {
	done, err := Revoke(ctx, s.store, row, unchangedSince, in...)
	if err == nil && !done {
		err = apierr.BadRequest("token already revoked")
	}
	return err
}
