package account

import (
	"context"
	"slices"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// idle is how long a user must have been inactive before they can be deactivated.
const idle = 90 * 24 * time.Hour

// Transition is a change of a user's state that an administrator can request. A user whose state is neither in from nor
// in refused already has the requested state.
type Transition struct {
	from     []model.UserState
	to       model.UserState
	refused  map[model.UserState]string
	self     string // why administrators cannot do it to themselves
	internal string // why they cannot do it to an internal account
	active   string // why they cannot do it to a user who was active recently
}

const mustUnblock = "A blocked user must be unblocked to be activated"

// The changes of state that an administrator can make.
var (
	Block = Transition{
		from: []model.UserState{model.UserActive, model.UserDeactivated, model.UserPendingApproval}, to: model.UserBlocked,
		refused:  map[model.UserState]string{model.UserLDAPBlocked: "LDAP blocked users cannot be modified by the API"},
		self:     "The API initiating user cannot be blocked by the API",
		internal: "An internal user cannot be blocked by the API",
	}
	Unblock = Transition{
		from: []model.UserState{model.UserBlocked}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserDeactivated:     "Deactivated users cannot be unblocked by the API",
			model.UserLDAPBlocked:     "LDAP blocked users cannot be unblocked by the API",
			model.UserBanned:          "Banned users cannot be unblocked by the API",
			model.UserPendingApproval: "Users pending approval cannot be unblocked by the API",
		},
	}
	Deactivate = Transition{
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
	Activate = Transition{
		from: []model.UserState{model.UserDeactivated}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserBlocked: mustUnblock, model.UserLDAPBlocked: mustUnblock, model.UserBanned: mustUnblock,
			model.UserPendingApproval: mustUnblock,
		},
	}
	Ban = Transition{
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
	Unban = Transition{
		from: []model.UserState{model.UserBanned}, to: model.UserActive,
		refused: map[model.UserState]string{
			model.UserBlocked:         "You cannot unban blocked users.",
			model.UserLDAPBlocked:     "You cannot unban ldap_blocked users.",
			model.UserDeactivated:     "You cannot unban deactivated users.",
			model.UserPendingApproval: "You cannot unban blocked_pending_approval users.",
		},
	}
)

// refuse returns the reason why the user cannot make the transition now, or nil.
func (t Transition) refuse(u model.User, actor *reqctx.Actor, since time.Time) error {
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
	return (u.LastActivityOn != nil && !u.LastActivityOn.Before(since)) ||
		(u.CurrentSignInAt != nil && !u.CurrentSignInAt.Before(since))
}

// tries is how often ApplyTransition tries again when another request changes the user at the same time.
const tries = 5

// ApplyTransition applies a transition to a user for an administrator and reports whether the state changed. The update
// applies only to the state that was checked. If another administrator changes the state first, ApplyTransition checks
// the new state.
func ApplyTransition(ctx context.Context, st *store.Store, actor *reqctx.Actor, id int64, t Transition) (bool, error) {
	since := clock.Now(ctx).UTC().Add(-idle).Truncate(24 * time.Hour)
	var idleSince *time.Time
	if t.active != "" {
		idleSince = &since
	}
	for range tries {
		row, err := st.Users.Get(ctx, id)
		if err != nil {
			return false, err
		}
		if err := t.refuse(row, actor, since); err != nil {
			return false, err
		}
		if !slices.Contains(t.from, row.State) {
			return false, nil
		}
		done := false
		err = events.Audited(ctx, st, func(ctx context.Context) (c events.Change, err error) {
			if done, err = st.Users.SetState(ctx, id, row.State, t.to, idleSince); done {
				c = StateChange(row, t.to)
			}
			return c, err
		})
		if err != nil || done {
			return done && err == nil, err
		}
	}
	return false, apierr.Conflict("409 Conflict: Resource lock")
}

// StateChange returns the audit event of a changed user state.
func StateChange(u model.User, to model.UserState) events.Change {
	c := events.OfUser(u, "user_state_updated", "Changed the state of a user")
	c.Field, c.From, c.To = "state", string(u.State), string(to)
	return c
}
