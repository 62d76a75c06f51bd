package users

import (
	"context"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
)

// move changes the state of a user and reports whether anything changed.
func (u *Users) move(ctx context.Context, id int64, t account.Transition) (stateChange, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return false, err
	}
	if err := access.CheckWritable(ctx, u.store, id); err != nil {
		return false, err
	}
	done, err := account.ApplyTransition(ctx, u.store, actor, id, t)
	return stateChange(done), err
}

// BlockUser blocks a user.
// POST /users/{id}/block
func (u *Users) BlockUser(ctx context.Context, req gen.BlockUserRequestObject) (gen.BlockUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Block)
}

// UnblockUser unblocks a user.
// POST /users/{id}/unblock
func (u *Users) UnblockUser(
	ctx context.Context, req gen.UnblockUserRequestObject,
) (gen.UnblockUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Unblock)
}

// DeactivateUser deactivates an idle user.
// POST /users/{id}/deactivate
func (u *Users) DeactivateUser(
	ctx context.Context, req gen.DeactivateUserRequestObject,
) (gen.DeactivateUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Deactivate)
}

// ActivateUser reactivates a deactivated user.
// POST /users/{id}/activate
func (u *Users) ActivateUser(
	ctx context.Context, req gen.ActivateUserRequestObject,
) (gen.ActivateUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Activate)
}

// BanUser bans a user.
// POST /users/{id}/ban
func (u *Users) BanUser(ctx context.Context, req gen.BanUserRequestObject) (gen.BanUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Ban)
}

// UnbanUser lifts a ban.
// POST /users/{id}/unban
func (u *Users) UnbanUser(ctx context.Context, req gen.UnbanUserRequestObject) (gen.UnbanUserResponseObject, error) {
	return u.move(ctx, req.ID, account.Unban)
}
