package token

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Add stores an access token of a user.
func Add(ctx context.Context, st *store.Store, row *model.PersonalAccessToken) error {
	return events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		in, err := events.Account(ctx, st, row.UserID)
		if err == nil {
			err = st.Tokens.Create(ctx, row)
		}
		kind, noun := tokenKind(*row)
		return events.AccessToken(in, *row, kind+"_created", "Created "+noun+" with scopes "+row.Scopes), err
	})
}

// Revoke revokes a token, unless the token was changed after the given time, and reports whether the token was
// active. The audit event belongs to the account of the token's user, unless in names another entity.
func Revoke(
	ctx context.Context, st *store.Store, row model.PersonalAccessToken, unchangedSince *time.Time, in ...events.Entity,
) (done bool, err error) {
	err = events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		place, err := placeOf(ctx, st, row, in)
		if err != nil {
			return events.Change{}, err
		}
		if row.Impersonation {
			done, err = st.Tokens.RevokeActive(ctx, row.ID, unchangedSince)
		} else {
			done, err = st.Tokens.Revoke(ctx, row, unchangedSince)
		}
		if err != nil || !done {
			return events.Change{}, err
		}
		kind, noun := tokenKind(row)
		return events.AccessToken(place, row, kind+"_revoked", "Revoked "+noun), nil
	})
	return done && err == nil, err
}

// Rotate replaces a token with a new one, as Tokens.Rotate of the store does. The audit event belongs to the
// account of the token's user, unless in names another entity.
func Rotate(
	ctx context.Context, st *store.Store, old model.PersonalAccessToken, digest []byte, expires time.Time,
	in ...events.Entity,
) (row model.PersonalAccessToken, done bool, err error) {
	err = events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		place, err := placeOf(ctx, st, old, in)
		if err != nil {
			return events.Change{}, err
		}
		row, done, err = st.Tokens.Rotate(ctx, old, digest, expires)
		kind, noun := tokenKind(old)
		if err == nil && !done { // a client sent a token that was rotated before: all tokens of its family are revoked
			return events.AccessToken(place, old, kind+"_reused", "Revoked all successors of "+noun), nil
		}
		return events.AccessToken(place, row, kind+"_rotated", "Rotated "+noun), err
	})
	return row, done && err == nil, err
}

func placeOf(
	ctx context.Context, st *store.Store, row model.PersonalAccessToken, in []events.Entity,
) (events.Entity, error) {
	if len(in) > 0 {
		return in[0], nil
	}
	return events.Account(ctx, st, row.UserID)
}

func tokenKind(row model.PersonalAccessToken) (kind, noun string) {
	if row.Impersonation {
		return "impersonation_token", "impersonation token"
	}
	return "personal_access_token", "access token"
}
