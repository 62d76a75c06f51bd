package access

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

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
	if k.UsageType == model.KeySigning || (k.ExpiresAt != nil && !k.ExpiresAt.After(time.Now())) {
		return nil, apierr.Unauthorized()
	}
	return a.admit(&reqctx.Actor{User: u.Caller(), Kind: reqctx.SSHKey})
}
