package access

import (
	"context"
	"errors"
	"net/http"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// AnySSHKey returns the caller with a key of a user or with a deploy key, for git over SSH.
func (a *Authenticator) AnySSHKey(ctx context.Context, fingerprint string) (*reqctx.Actor, error) {
	actor, err := a.SSHKey(ctx, fingerprint)
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
		return a.DeployKey(ctx, fingerprint)
	}
	return actor, err
}

// SSHKey returns the caller with a public key, given by its SHA-256 fingerprint, for git over SSH. It refuses expired keys
// and keys that are only for signing.
func (a *Authenticator) SSHKey(ctx context.Context, fingerprint string) (*reqctx.Actor, error) {
	k, u, err := a.store.Keys.GetBySHA256(ctx, fingerprint)
	if store.IsNotFound(err) {
		return nil, apierr.Unauthorized()
	}
	if err != nil {
		return nil, err
	}
	if k.UsageType == model.KeySigning || (k.ExpiresAt != nil && !k.ExpiresAt.After(clock.Now(ctx))) {
		return nil, apierr.Unauthorized()
	}
	return a.admit(ctx, &reqctx.Actor{User: u.Caller(), Kind: reqctx.SSHKey})
}
