package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"svc/store"
	"svc/store/secret"

	"github.com/ory/fosite"
)

// Revoke ends an access token and its refresh token; the client sends one of them. An unknown token counts as ended.
// POST /oauth/revoke
func (p *Provider) Revoke(w http.ResponseWriter, r *http.Request) error {
	form, err := readForm(r)
	if err == nil && form.Get("token") == "" {
		err = missing("token")
	}
	if err == nil {
		err = p.revoke(r.Context(), r, form)
	}
	return respond(w, struct{}{}, err)
}

func (p *Provider) revoke(ctx context.Context, r *http.Request, form url.Values) error {
	t, err := p.store.OAuthTokens.GetByEither(ctx, secret.Digest(form.Get("token")))
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := p.mayRevoke(ctx, t, r, form); err != nil {
		return err
	}
	if t.RevokedAt != nil {
		return nil
	}
	return p.store.Tx(ctx, func(ctx context.Context) error {
		if err := p.store.OAuthTokens.Revoke(ctx, t.UserID, t.ID); err != nil || p.o.Revoked == nil {
			return err
		}
		return p.o.Revoked(ctx, t.Caller, t.ID)
	})
}

// mayRevoke returns an error unless the client may end the token. Only the application itself may end the token of a
// confidential application. For others the token itself is enough, unless another application sends it.
func (p *Provider) mayRevoke(ctx context.Context, t store.OAuthRow, r *http.Request, form url.Values) error {
	no := &Error{Status: http.StatusForbidden, Code: "unauthorized_client", Description: "You are not authorized to revoke this token"}
	uid, key, sent := credentials(r, form)
	if !sent {
		if t.Confidential != nil && *t.Confidential {
			return no
		}
		return nil
	}
	c, err := p.authenticateBySecret(ctx, uid, key)
	if errors.Is(err, fosite.ErrInvalidClient) {
		return no
	}
	if err != nil {
		return err
	}
	if t.UID != nil && c.app.UID != *t.UID {
		return no
	}
	return nil
}
