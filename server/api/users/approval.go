package users

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// ApproveUser activates a user who is pending approval.
// POST /users/{id}/approve
func (u *Users) ApproveUser(ctx context.Context, req gen.ApproveUserRequestObject) (gen.ApproveUserResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	done, err := account.Approve(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	if !done {
		return nil, apierr.Conflict("The user you are trying to approve is not pending approval")
	}
	return gen.ApproveUser201JSONResponse{Message: "Success"}, nil
}

// RejectUser deletes a user who is pending approval.
// POST /users/{id}/reject
func (u *Users) RejectUser(ctx context.Context, req gen.RejectUserRequestObject) (gen.RejectUserResponseObject, error) {
	row, err := u.findAsAdmin(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = u.store.Tx(ctx, func(ctx context.Context) error {
		done, err := u.store.Users.SetState(ctx, req.ID, model.UserPendingApproval, model.UserBlocked, nil)
		if err != nil {
			return err
		}
		if !done {
			return apierr.Conflict("User does not have a pending request")
		}
		if err := events.Audit(ctx, u.store, events.OfUser(row, "user_rejected", "Rejected and removed user")); err != nil {
			return err
		}
		return u.store.Users.Remove(ctx, req.ID)
	})
	if err != nil {
		return nil, err
	}
	return gen.RejectUser201JSONResponse{Message: "Success"}, nil
}

// UpdateUserDisableTwoFactor turns off a user's two-factor authentication.
// PATCH /users/{id}/disable_two_factor
func (u *Users) UpdateUserDisableTwoFactor(
	ctx context.Context, req gen.UpdateUserDisableTwoFactorRequestObject,
) (gen.UpdateUserDisableTwoFactorResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	row, err := access.UserByID(ctx, u.store, req.ID)
	if err != nil {
		return nil, err
	}
	if row.Admin {
		return nil, apierr.Forbidden("Two-factor authentication for admins cannot be disabled via the API. Use the Rails console")
	}
	had := false
	err = events.Audited(ctx, u.store, func(ctx context.Context) (c events.Change, err error) {
		if had, err = u.store.TwoFactors.Disable(ctx, req.ID); had {
			c = events.OfUser(row, "user_disabled_two_factor", "Turned off two-factor authentication")
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	if !had {
		return nil, apierr.BadRequest("Two-factor authentication is not enabled for this user")
	}
	return gen.UpdateUserDisableTwoFactor204Response{}, nil
}
