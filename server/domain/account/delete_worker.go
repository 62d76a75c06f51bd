package account

import (
	"context"

	"svc/store"
)

// Deletion is the background job that deletes a user. It can run twice without harm.
type Deletion struct {
	UserID int64 `json:"user_id"`
	Hard   bool  `json:"hard"` // also delete what would otherwise go to the ghost user
}

// Kind names the job in the queue.
func (Deletion) Kind() string { return "delete_user" }

// RunDeletion deletes a user. Foreign keys delete the rows that belong to the user. A hard deletion also deletes the
// groups that only this user owns. Issues, notes and other contributions go to the ghost user; a hard deletion deletes
// them, too.
func (s *Service) RunDeletion(ctx context.Context, d Deletion) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Users.LockForRemoval(ctx, d.UserID); err != nil {
			return err
		}
		if err := s.announceDeleted(ctx, d.UserID); err != nil {
			return err
		}
		if d.Hard {
			if err := s.deleteGroups(ctx, d.UserID); err != nil {
				return err
			}
			return s.store.Users.RemoveWithNotes(ctx, d.UserID)
		}
		if err := s.store.Users.LeaveContributions(ctx, d.UserID); err != nil {
			return err
		}
		return s.store.Users.Remove(ctx, d.UserID)
	})
}

func (s *Service) deleteGroups(ctx context.Context, userID int64) error {
	groups, err := s.store.Members.SolelyOwned(ctx, userID, false) // another owner, even a blocked one, keeps the group
	if err != nil {
		return err
	}
	for _, id := range groups {
		row, _, err := s.store.Namespaces.GetGroup(ctx, id, "", nil)
		if store.IsNotFound(err) {
			continue // deleted with a group above it
		}
		if err != nil {
			return err
		}
		if err := s.mails.hooks.GroupDeleted(ctx, row); err != nil {
			return err
		}
		if err := s.store.Namespaces.Delete(ctx, id, nil); err != nil {
			return err
		}
	}
	return nil
}

// announceDeleted announces to webhooks that a user is deleted.
func (s *Service) announceDeleted(ctx context.Context, id int64) error {
	u, err := s.store.Users.Get(ctx, id)
	if store.IsNotFound(err) {
		return nil // deleted before
	}
	if err != nil {
		return err
	}
	return s.mails.hooks.UserDeleted(ctx, u)
}
