package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
)

// Deletion is the job that deletes a user. Running it twice deletes nothing more.
type Deletion struct {
	UserID int64 `json:"user_id"`
	Hard   bool  `json:"hard"` // also what would go to the ghost user
}

// Kind names the job in the queue.
func (Deletion) Kind() string { return "delete_user" }

// Delete runs the job. What users have of their own goes with them by the tables' rules, and with a hard deletion the
// groups that they alone own. What they wrote goes to the ghost user or, with a hard deletion, with them.
func Delete(st *store.Store) func(context.Context, Deletion) error {
	return func(ctx context.Context, d Deletion) error {
		return st.Tx(ctx, func(ctx context.Context) error {
			if err := st.Users.HoldForRemoval(ctx, d.UserID); err != nil {
				return err
			}
			if d.Hard {
				if err := deleteGroups(ctx, st, d.UserID); err != nil {
					return err
				}
				return st.Users.Erase(ctx, d.UserID)
			}
			if err := st.Users.LeaveContributions(ctx, d.UserID); err != nil {
				return err
			}
			return st.Users.Remove(ctx, d.UserID)
		})
	}
}

func deleteGroups(ctx context.Context, st *store.Store, userID int64) error {
	groups, err := st.Members.SolelyOwned(ctx, userID, false) // another owner, even a blocked one, keeps a group
	if err != nil {
		return err
	}
	for _, id := range groups {
		if err := st.Namespaces.Delete(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// OwnsNoGroupAlone keeps a user without whom a group would have no owner.
func OwnsNoGroupAlone(st *store.Store) Guard {
	return func(ctx context.Context, userID int64) error {
		groups, err := st.Members.SolelyOwned(ctx, userID, true)
		if err == nil && len(groups) > 0 {
			return apierr.Conflict("User cannot be removed while is the sole-owner of a group")
		}
		return err
	}
}

// Guard is asked before a soft deletion and says why a user has to stay: an owner without whom a group would have none.
type Guard func(ctx context.Context, userID int64) error

// DeleteUser blocks a user and has them deleted in the background.
// DELETE /users/{id}
func (u *Users) DeleteUser(ctx context.Context, req gen.DeleteUserRequestObject) (gen.DeleteUserResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	hard := wire.Value(req.Params.HardDelete)
	err := u.store.Tx(ctx, func(ctx context.Context) error {
		row, err := u.store.Users.Get(ctx, req.ID) // also one who is being deleted: asking twice is no mistake
		if err != nil {
			return err
		}
		if row.Internal() {
			return apierr.Forbidden("An internal user cannot be deleted by the API")
		}
		if !hard {
			if err := u.mayGo(ctx, row.ID); err != nil {
				return err
			}
		}
		if err := u.store.Users.Condemn(ctx, row.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		if err := events.Audit(ctx, u.store, events.OfUser(row, "user_destroyed", "Removed user")); err != nil {
			return err
		}
		return u.enqueue(ctx, Deletion{UserID: row.ID, Hard: hard})
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteUser204Response{}, nil
}

func (u *Users) mayGo(ctx context.Context, userID int64) error {
	for _, guard := range u.guards {
		if err := guard(ctx, userID); err != nil {
			return err
		}
	}
	return nil
}
