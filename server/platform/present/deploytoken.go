package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// DeployToken presents a deploy token without its secret, with its state at a time.
func DeployToken(t model.DeployToken, now time.Time) gen.DeployToken {
	return gen.DeployToken{
		ID:        t.ID,
		Name:      t.Name,
		Username:  t.Login(),
		ExpiresAt: wire.TimePtr(t.ExpiresAt),
		Scopes:    All(t.ScopeList(), func(scope string) gen.DeployTokenScope { return gen.DeployTokenScope(scope) }),
		Revoked:   t.Revoked,
		Expired:   t.Expired(now),
	}
}

// DeployTokenWithToken presents a new deploy token with its secret.
func DeployTokenWithToken(t model.DeployToken, token string, now time.Time) gen.DeployTokenWithToken {
	shown := DeployToken(t, now)
	return gen.DeployTokenWithToken{
		ID:        shown.ID,
		Name:      shown.Name,
		Username:  shown.Username,
		ExpiresAt: shown.ExpiresAt,
		Scopes:    shown.Scopes,
		Revoked:   shown.Revoked,
		Expired:   shown.Expired,
		Token:     token,
	}
}
