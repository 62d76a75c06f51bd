package serviceaccounts

import (
	"context"

	"svc/gen"
	"svc/server/domain/serviceaccount"
	"svc/server/platform/access"
)

// ListServiceAccounts lists the service accounts of the instance.
// GET /service_accounts
func (s *ServiceAccounts) ListServiceAccounts(
	ctx context.Context, req gen.ListServiceAccountsRequestObject,
) (gen.ListServiceAccountsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminServiceAccount); err != nil {
		return nil, err
	}
	rows, headers, err := s.list(ctx, serviceaccount.Instance, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListServiceAccounts200JSONResponse{Body: rows, Headers: gen.ListServiceAccounts200ResponseHeaders(headers)}, nil
}

// CreateServiceAccount creates a service account of the instance.
// POST /service_accounts
func (s *ServiceAccounts) CreateServiceAccount(
	ctx context.Context, req gen.CreateServiceAccountRequestObject,
) (gen.CreateServiceAccountResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminServiceAccount); err != nil {
		return nil, err
	}
	shown, err := s.create(ctx, serviceaccount.Instance, req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateServiceAccount201JSONResponse(shown), nil
}

// UpdateServiceAccount changes a service account of the instance.
// PATCH /service_accounts/{id}
func (s *ServiceAccounts) UpdateServiceAccount(
	ctx context.Context, req gen.UpdateServiceAccountRequestObject,
) (gen.UpdateServiceAccountResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminServiceAccount); err != nil {
		return nil, err
	}
	shown, err := s.update(ctx, serviceaccount.Instance, req.ID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateServiceAccount200JSONResponse(shown), nil
}
