package access

import (
	"context"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/secret"
)

// applicationToken is the length of an application's token, which is hexadecimal.
const applicationToken = 64

// looksLikeApplication reports whether a token has the form of application tokens. A personal token can have this form
// too, if its owner chose it so.
func looksLikeApplication(token string) bool {
	return len(token) == applicationToken && strings.Trim(token, "0123456789abcdef") == ""
}

// application finds the user on whose behalf an application acts.
func (a *Authenticator) application(ctx context.Context, digest []byte) (*reqctx.Actor, error) {
	t, err := a.store.OAuthTokens.Authenticate(ctx, digest, reqctx.Of(ctx).Ahead)
	if err != nil {
		return nil, err
	}
	switch {
	case !secret.Equal(t.Digest, digest):
		return nil, &store.NotFoundError{Resource: "Token"}
	case t.RevokedAt != nil:
		return nil, apierr.RevokedToken()
	case !clock.Now(ctx).Before(t.ExpiresAt):
		return nil, apierr.ExpiredToken()
	}
	return &reqctx.Actor{User: t.Caller, Kind: reqctx.OAuthToken, Scopes: strings.Fields(t.Scopes)}, nil
}

// OAuthScopes lists every scope that the token of an application can have.
func OAuthScopes() []string {
	return append(Scopes[:len(Scopes):len(Scopes)], "openid", "profile", "email")
}
