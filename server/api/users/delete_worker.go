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

// Deletion is the background job that deletes a user. It can run twice without harm.
type Deletion struct {
	UserID int64 `json:"user_id"`
	Hard   bool  `json:"hard"` // also delete what would otherwise go to the ghost user
}

// Kind names the job in the queue.
func (Deletion) Kind() string { return "delete_user" }

// Delete returns the handler of the job. Foreign keys delete the rows that belong to the user. A hard deletion also
// deletes the groups that only this user owns. Issues, notes and other contributions go to the ghost user; a hard
// deletion deletes them, too.
func Delete(st *store.Store) func(context.Context, Deletion) error {
	return func(ctx context.Context, d Deletion) error {
		return st.Tx(ctx, func(ctx context.Context) error {
			if err := st.Users.LockForRemoval(ctx, d.UserID); err != nil {
				return err
			}
			if d.Hard {
				if err := deleteGroups(ctx, st, d.UserID); err != nil {
					return err
				}
				return st.Users.RemoveWithNotes(ctx, d.UserID)
			}
			if err := st.Users.LeaveContributions(ctx, d.UserID); err != nil {
				return err
			}
			return st.Users.Remove(ctx, d.UserID)
		})
	}
}

func deleteGroups(ctx context.Context, st *store.Store, userID int64) error {
	groups, err := st.Members.SolelyOwned(ctx, userID, false) // another owner, even a blocked one, keeps the group
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

// refuseSoleOwner returns a 409 if a user is the only owner of a group.
func (u *Users) refuseSoleOwner(ctx context.Context, userID int64) error {
	groups, err := u.store.Members.SolelyOwned(ctx, userID, true)
	if err == nil && len(groups) > 0 {
		return apierr.Conflict("User cannot be removed while is the sole-owner of a group")
	}
	return err
}

// DeleteUser blocks a user and queues the job that deletes the account.
// DELETE /users/{id}
func (u *Users) DeleteUser(ctx context.Context, req gen.DeleteUserRequestObject) (gen.DeleteUserResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	hard := wire.Value(req.Params.HardDelete)
	err := u.store.Tx(ctx, func(ctx context.Context) error {
		row, err := u.store.Users.Get(ctx, req.ID) // also a user who is being deleted: asking twice is no error
		if err != nil {
			return err
		}
		if row.Internal() {
			return apierr.Forbidden("An internal user cannot be deleted by the API")
		}
		if !hard {
			if err := u.refuseSoleOwner(ctx, row.ID); err != nil {
				return err
			}
		}
		if err := u.store.Users.MarkForDeletion(ctx, row.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
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
