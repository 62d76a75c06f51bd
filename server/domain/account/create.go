package account

import (
	"context"
	"errors"

	"svc/server/domain/avatar"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Create creates a user and returns its ID. The settings must have a username, a name, an address, and a password
// unless it is random. If confirmed is false, the user gets a mail to confirm the address.
func (s *Service) Create(ctx context.Context, creatorID int64, in Settings, confirmed bool) (int64, error) {
	row := s.store.Settings.Current().NewUser()
	row.Username, row.Name, row.Email, row.CreatedByID = *in.Username, *in.Name, *in.Email, &creatorID
	if confirmed {
		now := clock.Now(ctx).UTC()
		row.ConfirmedAt = &now
	}
	set, err := s.check(in, row, true)
	if err == nil {
		err = s.checkSamlGroup(ctx, in)
	}
	if err != nil {
		return 0, err
	}
	picture, err := avatar.Read(in.Avatar)
	if err != nil {
		return 0, err
	}
	if row.PasswordHash, err = in.hash(ctx); err != nil {
		return 0, err
	}
	if err := s.insert(ctx, &row, set, in, picture); err != nil {
		return 0, s.explainTaken(ctx, err, row.Email)
	}
	return row.ID, nil
}

// insert writes a new user, queues the mails to that user, and records the audit event.
func (s *Service) insert(
	ctx context.Context, row *model.User, set map[string]any, in Settings, picture *model.Avatar,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Users.Create(ctx, row); err != nil {
			return err
		}
		if len(set) > 0 {
			if err := s.store.Users.Update(ctx, row.ID, set); err != nil {
				return err
			}
		}
		if row.ConfirmedAt == nil {
			if err := s.mails.SendConfirmation(ctx, *row, row.Email); err != nil {
				return err
			}
		}
		if in.SendResetLink {
			if err := s.mails.SendReset(ctx, *row); err != nil {
				return err
			}
		}
		if err := s.attach(ctx, row.ID, in, picture); err != nil {
			return err
		}
		if err := s.mails.hooks.User(ctx, payload.EventUserCreate, *row, ""); err != nil {
			return err
		}
		return events.Audit(ctx, s.store, events.OfUser(*row, "user_created", "Created user"))
	})
}

const identityTaken = "identities_extern_uid"

// explainTaken turns a conflict at creation into the error for the taken value. The email address is checked before the
// username.
func (s *Service) explainTaken(ctx context.Context, err error, email string) error {
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) {
		return err
	}
	if conflict.Constraint == identityTaken {
		return apierr.Invalid("identities.extern_uid", "has already been taken")
	}
	used, failed := s.store.Users.EmailTaken(ctx, email)
	switch {
	case failed != nil:
		return failed
	case used:
		return apierr.Conflict("Email has already been taken")
	}
	return apierr.Conflict("Username has already been taken")
}
