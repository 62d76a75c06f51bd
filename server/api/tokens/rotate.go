package tokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store/model"
	"svc/store/secret"
)

// defaultRotationDays is the lifetime of a rotated token in days, unless the caller gives an expiry.
const defaultRotationDays = 7

// RotatePersonalAccessTokensSelf replaces the token that the request was made with.
// POST /personal_access_tokens/self/rotate
func (t *Tokens) RotatePersonalAccessTokensSelf(
	ctx context.Context, req gen.RotatePersonalAccessTokensSelfRequestObject,
) (gen.RotatePersonalAccessTokensSelfResponseObject, error) {
	actor, err := access.Allow(ctx, access.RotateOwnToken)
	if err != nil {
		return nil, err
	}
	if actor.TokenID == 0 {
		return nil, apierr.MethodNotAllowed()
	}
	old, err := t.store.Tokens.Get(ctx, actor.TokenID)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotate(ctx, old, req.Body)
	return gen.RotatePersonalAccessTokensSelf200JSONResponse(shown), err
}

// RotatePersonalAccessToken replaces a token.
// POST /personal_access_tokens/{id}/rotate
func (t *Tokens) RotatePersonalAccessToken(
	ctx context.Context, req gen.RotatePersonalAccessTokenRequestObject,
) (gen.RotatePersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.RotateToken)
	if err != nil {
		return nil, err
	}
	old, err := t.find(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := t.rotate(ctx, old, req.Body)
	return gen.RotatePersonalAccessToken200JSONResponse(shown), err
}

// rotate replaces a token and presents the new one. It does not check permissions.
func (t *Tokens) rotate(
	ctx context.Context, old model.PersonalAccessToken, body *gen.TokenRotation,
) (gen.PersonalAccessTokenWithToken, error) {
	now := time.Now()
	row, token, err := t.replace(ctx, old, body, now)
	if err != nil {
		return gen.PersonalAccessTokenWithToken{}, err
	}
	return present.PersonalAccessTokenWithToken(row, token, now), nil
}

// replace rotates a token of any kind. It returns the new row and its secret.
func (t *Tokens) replace(
	ctx context.Context, old model.PersonalAccessToken, body *gen.TokenRotation, now time.Time, in ...events.Entity,
) (model.PersonalAccessToken, string, error) {
	if old.Impersonation {
		return old, "", apierr.MethodNotAllowed()
	}
	expires, err := t.lifetime.Expiry(dayOf(body.ExpiresAt), defaultRotationDays, now)
	if err != nil {
		return old, "", apierr.BadRequest(err.Error())
	}
	if !expires.After(now) { // a new token that has expired already is of no use to anybody
		return old, "", apierr.BadRequest("Expires at must be in the future")
	}
	if !old.Revoked && old.Expired(now) {
		return old, "", apierr.Unauthorized("token already expired")
	}
	token := secret.NewToken()
	row, done, err := account.RotateToken(ctx, t.store, old, secret.Digest(token), expires, in...)
	if err == nil && !done {
		err = apierr.Unauthorized("token already revoked")
	}
	return row, token, err
}
