package oauth

import (
	"context"
	"slices"
	"strings"

	"github.com/ory/fosite"
)

// password handles the grant for a username and a password, RFC 6749 §4.3. Its response has no refresh token.
type password struct {
	p      *Provider
	rows   *storage
	tokens strategy
}

// CanSkipClientAuth returns false: authenticate also handles requests without an application.
func (*password) CanSkipClientAuth(context.Context, fosite.AccessRequester) bool { return false }

// CanHandleTokenEndpointRequest reports whether the request is of this grant type.
func (*password) CanHandleTokenEndpointRequest(_ context.Context, r fosite.AccessRequester) bool {
	return r.GetGrantTypes().ExactOne("password")
}

// HandleTokenEndpointRequest checks the username and password, and decides on the scopes of the token.
func (h *password) HandleTokenEndpointRequest(ctx context.Context, r fosite.AccessRequester) error {
	form := r.GetRequestForm()
	login, word := form.Get("username"), form.Get("password")
	if !validText(login) || login == "" || word == "" {
		return fosite.ErrInvalidGrant
	}
	if h.p.o.CountAttempt != nil {
		wait, err := h.p.o.CountAttempt(ctx)
		if err != nil {
			return err
		}
		if wait > 0 {
			return tooMany(wait)
		}
	}
	user, err := h.p.o.Password(ctx, login, word)
	if err != nil {
		if h.p.o.IsRefusal(err) {
			return fosite.ErrInvalidGrant
		}
		return err
	}
	due, err := h.p.store.Members.TwoFactorDue(ctx, user.ID)
	if err != nil {
		return err
	}
	if due != nil { // this grant has no grace period
		return fosite.ErrInvalidGrant
	}
	scopes := parseScopes(form.Get("scope"))
	if !subset(scopes, r.GetClient().GetScopes()) || !h.p.mayHaveScopes(user, scopes) {
		return fosite.ErrInvalidScope
	}
	for _, scope := range scopes {
		r.GrantScope(scope)
	}
	s := sessionOf(r)
	s.user, s.signedInAt = user, h.p.o.Now().UTC()
	return nil
}

// PopulateTokenEndpointResponse makes the token.
func (h *password) PopulateTokenEndpointResponse(ctx context.Context, r fosite.AccessRequester, res fosite.AccessResponder) error {
	if !h.CanHandleTokenEndpointRequest(ctx, r) {
		return fosite.ErrUnknownRequest
	}
	token, signature, err := h.tokens.make()
	if err != nil {
		return err
	}
	if err := h.rows.CreateAccessTokenSession(ctx, signature, r); err != nil {
		return err
	}
	res.SetAccessToken(token)
	res.SetTokenType("bearer")
	return nil
}

// defaultScope is the scope of a request that names none.
const defaultScope = "api"

// parseScopes returns the scopes of a request without duplicates.
func parseScopes(text string) []string {
	var scopes []string
	for scope := range strings.FieldsSeq(text) {
		if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	if scopes == nil {
		return []string{defaultScope}
	}
	return scopes
}
