package oauth

import (
	"context"
	"net/http"
	"net/url"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// tokenInfo describes an access token.
type tokenInfo struct {
	ResourceOwnerID  int64       `json:"resource_owner_id"`
	Scope            []string    `json:"scope"`
	ExpiresIn        int64       `json:"expires_in"`
	Application      application `json:"application"`
	CreatedAt        int64       `json:"created_at"`
	Scopes           []string    `json:"scopes"`             // deprecated: scope
	ExpiresInSeconds int64       `json:"expires_in_seconds"` // deprecated: expires_in
}

type application struct {
	UID *string `json:"uid"`
}

// TokenInfo describes the access token of the request.
// GET /oauth/token/info
func (p *Provider) TokenInfo(w http.ResponseWriter, r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || repeated(query, "access_token") {
		return respond(w, nil, refuse("invalid_request"))
	}
	t, err := p.active(r.Context(), bearer(r, query))
	if err != nil {
		if bad := refusal(err); bad != nil {
			bad.Status, bad.Code = http.StatusBadRequest, "invalid_request"
		}
		return respond(w, nil, err)
	}
	left := int64(t.ExpiresAt.Sub(p.o.Now()).Seconds())
	return respond(w, tokenInfo{
		ResourceOwnerID: t.UserID, Scope: t.ScopeList(), ExpiresIn: left, Application: application{t.UID}, CreatedAt: t.CreatedAt.Unix(),
		Scopes: t.ScopeList(), ExpiresInSeconds: left,
	}, nil)
}

// active returns a valid access token, or an error that says why it is not valid.
func (p *Provider) active(ctx context.Context, token string) (store.OAuthRow, error) {
	no := func(why string) error {
		return &Error{Status: http.StatusUnauthorized, Code: "invalid_token", Description: "The access token " + why}
	}
	if token == "" {
		return store.OAuthRow{}, no("is invalid")
	}
	digest := secret.Digest(token)
	t, err := p.store.OAuthTokens.Get(ctx, digest)
	switch {
	case store.IsNotFound(err):
		return t, no("is invalid")
	case err != nil:
		return t, err
	case !secret.Equal(t.Digest, digest) || t.Caller.State != model.UserActive:
		return t, no("is invalid")
	case t.RevokedAt != nil:
		return t, no("was revoked")
	case !p.o.Now().Before(t.ExpiresAt):
		return t, no("expired")
	}
	return t, nil
}
