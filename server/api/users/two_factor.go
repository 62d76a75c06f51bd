package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
)

// UpdateUserDisableTwoFactor turns off a user's two-factor authentication.
// PATCH /users/{id}/disable_two_factor
func (u *Users) UpdateUserDisableTwoFactor(
	ctx context.Context, req gen.UpdateUserDisableTwoFactorRequestObject,
) (gen.UpdateUserDisableTwoFactorResponseObject, error) {
	row, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if row.Admin {
		return nil, apierr.Forbidden("Two-factor authentication for admins cannot be disabled via the API. Use the Rails console")
	}
	had, err := u.accounts.DisableTwoFactor(ctx, row)
	if err != nil {
		return nil, err
	}
	if !had {
		return nil, apierr.BadRequest("Two-factor authentication is not enabled for this user")
	}
	return gen.UpdateUserDisableTwoFactor204Response{}, nil
}
