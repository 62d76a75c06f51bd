package account

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
)

// Delete blocks a user and queues the job that deletes the account, unless the user was changed after the given time.
// A hard deletion also deletes what would otherwise go to the ghost user.
func (s *Service) Delete(ctx context.Context, id int64, hard bool, unchangedSince *time.Time) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		row, err := s.store.Users.Get(ctx, id) // also a user who is being deleted: asking twice is no error
		if err != nil {
			return err
		}
		if row.Internal() {
			return apierr.Forbidden("An internal user cannot be deleted by the API")
		}
		if !hard {
			if err := s.refuseSoleOwner(ctx, row.ID); err != nil {
				return err
			}
		}
		if err := s.store.Users.MarkForDeletion(ctx, row.ID, unchangedSince); err != nil {
			return err
		}
		if err := events.Audit(ctx, s.store, events.OfUser(row, "user_destroyed", "Removed user")); err != nil {
			return err
		}
		return s.enqueue(ctx, Deletion{UserID: row.ID, Hard: hard})
	})
}

// refuseSoleOwner returns a 409 if a user is the only owner of a group.
func (s *Service) refuseSoleOwner(ctx context.Context, userID int64) error {
	groups, err := s.store.Members.SolelyOwned(ctx, userID, true)
	if err == nil && len(groups) > 0 {
		return apierr.Conflict("User cannot be removed while is the sole-owner of a group")
	}
	return err
}
