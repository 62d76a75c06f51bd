package runners

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store"
)

// ResetAuthenticationTokenRunner gives a runner a new token.
// POST /runners/{id}/reset_authentication_token
func (r *Runners) ResetAuthenticationTokenRunner(
	ctx context.Context, req gen.ResetAuthenticationTokenRunnerRequestObject,
) (gen.ResetAuthenticationTokenRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetToken(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.ResetAuthenticationTokenRunner201JSONResponse{
		Token: token, TokenExpiresAt: wire.TimePtr(row.TokenExpiresAt),
	}, nil
}

// ResetAuthenticationTokenRunners replaces the token of the runner that owns it.
// POST /runners/reset_authentication_token
func (r *Runners) ResetAuthenticationTokenRunners(
	ctx context.Context, req gen.ResetAuthenticationTokenRunnersRequestObject,
) (gen.ResetAuthenticationTokenRunnersResponseObject, error) {
	c, err := r.runners.Authenticate(ctx, req.Body.Token, "", store.MachineInfo{})
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetToken(ctx, c.Runner)
	if err != nil {
		return nil, err
	}
	return gen.ResetAuthenticationTokenRunners201JSONResponse{
		Token: token, TokenExpiresAt: wire.TimePtr(c.Runner.TokenExpiresAt),
	}, nil
}
