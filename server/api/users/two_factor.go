package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
)

// DisableUserTwoFactor turns off a user's two-factor authentication.
// PATCH /users/{id}/disable_two_factor
func (u *Users) DisableUserTwoFactor(
	ctx context.Context, req gen.DisableUserTwoFactorRequestObject,
) (gen.DisableUserTwoFactorResponseObject, error) {
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
	return gen.DisableUserTwoFactor204Response{}, nil
}
