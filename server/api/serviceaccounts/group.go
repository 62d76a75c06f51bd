package serviceaccounts

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// ListGroupServiceAccounts lists the service accounts of a group.
// GET /groups/{id}/service_accounts
func (s *ServiceAccounts) ListGroupServiceAccounts(
	ctx context.Context, req gen.ListGroupServiceAccountsRequestObject,
) (gen.ListGroupServiceAccountsResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, in, gen.ListServiceAccountsParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupServiceAccounts200JSONResponse{
		Body: rows, Headers: gen.ListGroupServiceAccounts200ResponseHeaders(headers),
	}, nil
}

// CreateGroupServiceAccount creates a service account of a group.
// POST /groups/{id}/service_accounts
func (s *ServiceAccounts) CreateGroupServiceAccount(
	ctx context.Context, req gen.CreateGroupServiceAccountRequestObject,
) (gen.CreateGroupServiceAccountResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.create(ctx, in, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupServiceAccount201JSONResponse(shown), nil
}

// UpdateGroupServiceAccount changes a service account of a group.
// PATCH /groups/{id}/service_accounts/{user_id}
func (s *ServiceAccounts) UpdateGroupServiceAccount(
	ctx context.Context, req gen.UpdateGroupServiceAccountRequestObject,
) (gen.UpdateGroupServiceAccountResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.update(ctx, in, req.UserID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupServiceAccount200JSONResponse(shown), nil
}

// DeleteGroupServiceAccount deletes a service account of a group.
// DELETE /groups/{id}/service_accounts/{user_id}
func (s *ServiceAccounts) DeleteGroupServiceAccount(
	ctx context.Context, req gen.DeleteGroupServiceAccountRequestObject,
) (gen.DeleteGroupServiceAccountResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	hard := req.Params.HardDelete != nil && *req.Params.HardDelete
	if err := s.accounts.Delete(ctx, in, req.UserID, hard, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupServiceAccount204Response{}, nil
}

// ListGroupServiceAccountPersonalAccessTokens lists the tokens of a service account of a group.
// GET /groups/{id}/service_accounts/{user_id}/personal_access_tokens
func (s *ServiceAccounts) ListGroupServiceAccountPersonalAccessTokens(
	ctx context.Context, req gen.ListGroupServiceAccountPersonalAccessTokensRequestObject,
) (gen.ListGroupServiceAccountPersonalAccessTokensResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.listTokens(ctx, in, req.UserID, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupServiceAccountPersonalAccessTokens200JSONResponse{
		Body: rows, Headers: gen.ListGroupServiceAccountPersonalAccessTokens200ResponseHeaders(headers),
	}, nil
}

// CreateGroupServiceAccountPersonalAccessToken creates a token of a service account of a group.
// POST /groups/{id}/service_accounts/{user_id}/personal_access_tokens
func (s *ServiceAccounts) CreateGroupServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.CreateGroupServiceAccountPersonalAccessTokenRequestObject,
) (gen.CreateGroupServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.createToken(ctx, in, req.UserID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupServiceAccountPersonalAccessToken201JSONResponse(shown), nil
}

// DeleteGroupServiceAccountPersonalAccessToken revokes a token of a service account of a group.
// DELETE /groups/{id}/service_accounts/{user_id}/personal_access_tokens/{token_id}
func (s *ServiceAccounts) DeleteGroupServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.DeleteGroupServiceAccountPersonalAccessTokenRequestObject,
) (gen.DeleteGroupServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.revokeToken(ctx, in, req.UserID, req.TokenID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupServiceAccountPersonalAccessToken204Response{}, nil
}

// RotateGroupServiceAccountPersonalAccessToken replaces a token of a service account of a group.
// POST /groups/{id}/service_accounts/{user_id}/personal_access_tokens/{token_id}/rotate
func (s *ServiceAccounts) RotateGroupServiceAccountPersonalAccessToken(
	ctx context.Context, req gen.RotateGroupServiceAccountPersonalAccessTokenRequestObject,
) (gen.RotateGroupServiceAccountPersonalAccessTokenResponseObject, error) {
	in, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := s.rotateToken(ctx, in, req.UserID, req.TokenID, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.RotateGroupServiceAccountPersonalAccessToken200JSONResponse(shown), nil
}
