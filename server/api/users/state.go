package users

import (
	"context"
	"slices"
	"time"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/request"
	"svc/store/model"
)

// idle is how long a user must not have been active to be deactivated.
const idle = 90 * 24 * time.Hour

// transition is a change of a user's state that administrators ask for. A user in a state that is neither in from nor
// refused is there already.
type transition struct {
	from     []model.UserState
	to       model.UserState
	refused  map[model.UserState]string
	self     string // why not oneself
	internal string // why not an account of the instance itself
	active   string // why not somebody who was active lately
}

const mustUnblock = "A blocked user must be unblocked to be activated"

var (
	block = transition{
		from: []model.UserState{model.UserActive, model.UserDeactivated, model.UserPendingApproval}, to: model.UserBlocked,
		refused:  map[model.UserState]string{model.UserLDAPBlocked: "LDAP blocked users cannot be modified by the API"},
		self:     "The API initiating user cannot be blocked by the API",
		internal: "An internal user cannot be blocked by the API",
	}
	unblock = transition{
		from: []model.UserState{model.UserBlocked}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserDeactivated:     "Deactivated users cannot be unblocked by the API",
			model.UserLDAPBlocked:     "LDAP blocked users cannot be unblocked by the API",
			model.UserBanned:          "Banned users cannot be unblocked by the API",
			model.UserPendingApproval: "Users pending approval cannot be unblocked by the API",
		},
	}
	deactivate = transition{
		from: []model.UserState{model.UserActive}, to: model.UserDeactivated,
		refused: map[model.UserState]string{
			model.UserBlocked:         "A blocked user cannot be deactivated by the API",
			model.UserLDAPBlocked:     "A blocked user cannot be deactivated by the API",
			model.UserBanned:          "A blocked user cannot be deactivated by the API",
			model.UserPendingApproval: "A blocked user cannot be deactivated by the API",
		},
		self:     "The API initiating user cannot be deactivated by the API",
		internal: "An internal user cannot be deactivated by the API",
		active:   "The user you are trying to deactivate has been active in the past 90 days and cannot be deactivated",
	}
	activate = transition{
		from: []model.UserState{model.UserDeactivated}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserBlocked: mustUnblock, model.UserLDAPBlocked: mustUnblock, model.UserBanned: mustUnblock, model.UserPendingApproval: mustUnblock,
		},
	}
	ban = transition{
		from: []model.UserState{model.UserActive}, to: model.UserBanned,
		refused: map[model.UserState]string{
			model.UserBlocked:         "You cannot ban blocked users.",
			model.UserLDAPBlocked:     "You cannot ban ldap_blocked users.",
			model.UserDeactivated:     "You cannot ban deactivated users.",
			model.UserPendingApproval: "You cannot ban blocked_pending_approval users.",
		},
		self:     "The API initiating user cannot be banned by the API",
		internal: "An internal user cannot be banned by the API",
	}
	unban = transition{
		from: []model.UserState{model.UserBanned}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserBlocked:         "You cannot unban blocked users.",
			model.UserLDAPBlocked:     "You cannot unban ldap_blocked users.",
			model.UserDeactivated:     "You cannot unban deactivated users.",
			model.UserPendingApproval: "You cannot unban blocked_pending_approval users.",
		},
	}
)

// refuse tells why a user may not be moved now.
func (t transition) refuse(u model.User, actor *request.Actor, since time.Time) error {
	reason := t.refused[u.State]
	switch {
	case reason != "":
	case t.self != "" && u.ID == actor.User.ID:
		reason = t.self
	case t.internal != "" && u.Internal():
		reason = t.internal
	case t.active != "" && slices.Contains(t.from, u.State) && activeSince(u, since):
		reason = t.active
	}
	if reason == "" {
		return nil
	}
	return apierr.Forbidden(reason)
}

func activeSince(u model.User, since time.Time) bool {
	return (u.LastActivityOn != nil && !u.LastActivityOn.Before(since)) || (u.CurrentSignInAt != nil && !u.CurrentSignInAt.Before(since))
}

// tries is how often a move is judged anew when others change the user at the same time.
const tries = 5

// move makes a transition and tells whether anything changed. The state that was judged is the one that is left: when
// another administrator is quicker, the new state is judged.
func (u *Users) move(ctx context.Context, id int64, t transition) (moved, error) {
	actor, err := access.Allow(ctx, access.AdminUser)
	if err != nil {
		return false, err
	}
	since := time.Now().UTC().Add(-idle).Truncate(24 * time.Hour)
	var idleSince *time.Time
	if t.active != "" {
		idleSince = &since
	}
	for range tries {
		row, err := u.store.Users.Get(ctx, id)
		if err != nil {
			return false, err
		}
		if err := t.refuse(row, actor, since); err != nil {
			return false, err
		}
		if !slices.Contains(t.from, row.State) {
			return false, nil
		}
		done, err := u.store.Users.Move(ctx, id, row.State, t.to, idleSince)
		if err != nil || done {
			return moved(done), err
		}
	}
	return false, apierr.Conflict("409 Conflict: Resource lock")
}

// BlockUser keeps a user out.
// POST /users/{id}/block
func (u *Users) BlockUser(ctx context.Context, req gen.BlockUserRequestObject) (gen.BlockUserResponseObject, error) {
	return u.move(ctx, req.ID, block)
}

// UnblockUser lets a blocked user in again.
// POST /users/{id}/unblock
func (u *Users) UnblockUser(ctx context.Context, req gen.UnblockUserRequestObject) (gen.UnblockUserResponseObject, error) {
	return u.move(ctx, req.ID, unblock)
}

// DeactivateUser puts an idle user to rest.
// POST /users/{id}/deactivate
func (u *Users) DeactivateUser(ctx context.Context, req gen.DeactivateUserRequestObject) (gen.DeactivateUserResponseObject, error) {
	return u.move(ctx, req.ID, deactivate)
}

// ActivateUser wakes a deactivated user.
// POST /users/{id}/activate
func (u *Users) ActivateUser(ctx context.Context, req gen.ActivateUserRequestObject) (gen.ActivateUserResponseObject, error) {
	return u.move(ctx, req.ID, activate)
}

// BanUser bans a user.
// POST /users/{id}/ban
func (u *Users) BanUser(ctx context.Context, req gen.BanUserRequestObject) (gen.BanUserResponseObject, error) {
	return u.move(ctx, req.ID, ban)
}

// UnbanUser lifts a ban.
// POST /users/{id}/unban
func (u *Users) UnbanUser(ctx context.Context, req gen.UnbanUserRequestObject) (gen.UnbanUserResponseObject, error) {
	return u.move(ctx, req.ID, unban)
}
