package key

import (
	"context"
	"time"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// AddSSH adds an SSH key to a user. The row is from NewSSHKey.
func (s *Service) AddSSH(ctx context.Context, row *model.Key) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		in, err := events.Account(ctx, s.store, row.UserID)
		if err == nil {
			err = s.isNoDeployKey(ctx, row.FingerprintSHA256)
		}
		if err == nil {
			err = s.store.Keys.Create(ctx, row)
		}
		if err == nil {
			err = s.hooks.Key(ctx, payload.EventKeyCreate, *row)
		}
		return sshChange(in, *row, "ssh_key_created", "Added SSH key"), err
	})
}

// isNoDeployKey refuses a key that is a deploy key: nobody could tell who uses it.
func (s *Service) isNoDeployKey(ctx context.Context, fingerprint string) error {
	_, err := s.store.DeployKeys.GetByFingerprint(ctx, fingerprint)
	switch {
	case err == nil:
		return &store.ConflictError{Constraint: "deploy_keys_fingerprint_sha256"}
	case store.IsNotFound(err):
		return nil
	}
	return err
}

// RemoveSSH removes an SSH key from a user, unless the key was changed after the given time.
func (s *Service) RemoveSSH(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err := s.store.Keys.GetOfUser(ctx, userID, id)
		if err != nil {
			return events.Change{}, err
		}
		in, err := events.Account(ctx, s.store, userID)
		if err == nil {
			err = s.store.Keys.DeleteOfUser(ctx, userID, id, unchangedSince)
		}
		if err == nil {
			err = s.hooks.Key(ctx, payload.EventKeyDestroy, row)
		}
		return sshChange(in, row, "ssh_key_deleted", "Removed SSH key"), err
	})
}

func sshChange(in events.Entity, row model.Key, kind, message string) events.Change {
	target := events.Target{Type: "Key", ID: row.ID, Details: row.Title}
	return events.Change{Type: kind, Entity: in, Target: target, Message: message}
}
