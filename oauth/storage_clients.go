package oauth

import (
	"context"
	"errors"
	"time"

	"svc/store"

	"github.com/ory/fosite"
)

// storage is fosite's storage on our tables. It has no state: transactions are in the context. Everything that must
// happen only once is one conditional update.
type storage struct {
	store    *store.Store
	now      func() time.Time
	lifetime time.Duration // of access tokens
}

// errAlreadyUsed is returned for a code or a refresh token that another request has used meanwhile.
var errAlreadyUsed = errors.New("used by another request")

// GetClient returns an application by its application ID.
func (s *storage) GetClient(ctx context.Context, uid string) (fosite.Client, error) {
	app, err := s.store.OAuthApplications.GetByUID(ctx, uid)
	if store.IsNotFound(err) {
		return nil, fosite.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return &client{app: app, redirects: app.RedirectURIs(), scopes: app.ScopeList()}, nil
}

// ClientAssertionJWTValid is for signed assertions, which this provider does not accept.
func (*storage) ClientAssertionJWTValid(context.Context, string) error { return fosite.ErrJTIKnown }

// SetClientAssertionJWT is for signed assertions, which this provider does not accept.
func (*storage) SetClientAssertionJWT(context.Context, string, time.Time) error {
	return fosite.ErrJTIKnown
}
