package runners

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store"
)

// ResetRunnerAuthenticationToken gives a runner a new token.
// POST /runners/{id}/reset_authentication_token
func (r *Runners) ResetRunnerAuthenticationToken(
	ctx context.Context, req gen.ResetRunnerAuthenticationTokenRequestObject,
) (gen.ResetRunnerAuthenticationTokenResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetToken(ctx, row)
	if err != nil {
		return nil, err
	}
	return gen.ResetRunnerAuthenticationToken201JSONResponse{
		Token: token, TokenExpiresAt: wire.TimePtr(row.TokenExpiresAt),
	}, nil
}

// ResetOwnRunnerAuthenticationToken replaces the token of the runner that owns it.
// POST /runners/reset_authentication_token
func (r *Runners) ResetOwnRunnerAuthenticationToken(
	ctx context.Context, req gen.ResetOwnRunnerAuthenticationTokenRequestObject,
) (gen.ResetOwnRunnerAuthenticationTokenResponseObject, error) {
	c, err := r.runners.Authenticate(ctx, req.Body.Token, "", store.MachineInfo{})
	if err != nil {
		return nil, err
	}
	token, err := r.runners.ResetToken(ctx, c.Runner)
	if err != nil {
		return nil, err
	}
	return gen.ResetOwnRunnerAuthenticationToken201JSONResponse{
		Token: token, TokenExpiresAt: wire.TimePtr(c.Runner.TokenExpiresAt),
	}, nil
}
