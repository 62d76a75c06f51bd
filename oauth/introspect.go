package oauth

import (
	"context"
	"net/http"
	"net/url"

	"svc/store/model"

	"github.com/ory/fosite"
)

// introspection is what an application learns about a token, RFC 7662 §2.2.
type introspection struct {
	Active    bool    `json:"active"`
	Scope     string  `json:"scope,omitempty"`
	ClientID  *string `json:"client_id,omitempty"`
	TokenType string  `json:"token_type,omitempty"`
	Exp       int64   `json:"exp,omitempty"`
	Iat       int64   `json:"iat,omitempty"`
}

// Introspect tells an application whether one of its tokens is valid.
// POST /oauth/introspect
func (p *Provider) Introspect(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err == nil && form.Get("token") == "" {
		err = missing("token")
	}
	if err != nil {
		return respond(w, nil, err)
	}
	uid, err := p.authenticateCaller(r.Context(), r, form)
	if err != nil {
		return respond(w, nil, err)
	}
	t, err := p.active(r.Context(), form.Get("token"))
	if refusal(err) != nil || (err == nil && (t.UID == nil || *t.UID != uid)) {
		return respond(w, introspection{}, nil) // the same answer for a token of another application
	}
	return respond(w, introspection{
		Active: true, Scope: t.Scopes, ClientID: t.UID, TokenType: "Bearer", Exp: t.ExpiresAt.Unix(), Iat: t.CreatedAt.Unix(),
	}, err)
}

// authenticateCaller returns the application that makes the request, authenticated by its own credentials or by another one of its
// tokens.
func (p *Provider) authenticateCaller(ctx context.Context, r *http.Request, form url.Values) (uid string, err error) {
	if token := bearer(r, nil); token != "" {
		t, err := p.active(ctx, token)
		if err == nil && token == form.Get("token") {
			err = &Error{Status: http.StatusUnauthorized, Code: "invalid_token", Description: "The access token is invalid"}
		}
		if err != nil || t.UID == nil {
			return "", err
		}
		return *t.UID, nil
	}
	uid, key, sent := credentials(r, form)
	if !sent {
		return "", refuse("invalid_request")
	}
	c, err := p.authenticateBySecret(ctx, uid, key)
	if err != nil {
		return "", err
	}
	// RFC 7662 §2.1: a client that cannot prove its identity learns nothing.
	if !c.app.Confidential {
		return "", fosite.ErrInvalidClient
	}
	return c.app.UID, nil
}

// mayHaveScopes reports whether a token of a user may have all these scopes.
func (p *Provider) mayHaveScopes(user model.Caller, scopes []string) bool {
	for _, scope := range p.o.Restricted {
		if !user.Admin && subset([]string{scope}, scopes) {
			return false
		}
	}
	return true
}
