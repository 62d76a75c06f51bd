package account

import (
	"context"
	"errors"
	"maps"

	"svc/server/domain/avatar"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Update changes the given fields of a user. A new password that the actor sets for somebody else must be changed at
// the next sign-in.
func (s *Service) Update(ctx context.Context, actor *reqctx.Actor, row model.User, in Settings) error {
	names := in.rename(&row)
	set, err := s.check(in, row, false)
	if err == nil {
		err = s.checkSamlGroup(ctx, in)
	}
	if err != nil {
		return err
	}
	picture, err := avatar.Read(in.Avatar)
	if err != nil {
		return err
	}
	maps.Copy(set, names)
	if err := in.setPassword(ctx, set, row.ID != actor.User.ID); err != nil {
		return err
	}
	return explainUpdate(s.write(ctx, row, set, in, picture))
}

// rename sets the new username, name and email address in the row, for validation. It returns the columns of username
// and name; the email address is written separately.
func (in Settings) rename(row *model.User) map[string]any {
	set := map[string]any{}
	for _, c := range []struct {
		column string
		to     *string
		given  *string
	}{{"username", &row.Username, in.Username}, {"name", &row.Name, in.Name}} {
		if c.given != nil {
			*c.to, set[c.column] = *c.given, *c.given
		}
	}
	if in.Email != nil {
		row.Email = *in.Email
	}
	return set
}

// setPassword adds a new password to set. If expires is true, it must be changed at the next sign-in.
func (in Settings) setPassword(ctx context.Context, set map[string]any, expires bool) error {
	if !in.RandomPassword && in.Password == nil {
		return nil
	}
	hash, err := in.hash(ctx)
	if err != nil {
		return err
	}
	set["password_hash"], set["password_expires_at"] = hash, nil
	if expires {
		set["password_expires_at"] = clock.Now(ctx).UTC()
	}
	return nil
}

// write stores the changes of a user and records the audit events.
func (s *Service) write(
	ctx context.Context, row model.User, set map[string]any, in Settings, picture *model.Avatar,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		before, err := s.store.Users.Get(ctx, row.ID)
		if err != nil {
			return err
		}
		if err := s.changeAddresses(ctx, row.ID, set, in); err != nil {
			return err
		}
		if len(set) > 0 {
			if err := s.store.Users.Update(ctx, row.ID, set); err != nil {
				return err
			}
		}
		if row.NamespaceID != nil && (in.Name != nil || in.Username != nil) {
			if err := s.store.Namespaces.Rename(ctx, *row.NamespaceID, in.Name, in.Username); err != nil {
				return err
			}
		}
		_, password := set["password_hash"]
		if password {
			if err := s.endOldPassword(ctx, row.ID, in, set["password_expires_at"] != nil); err != nil {
				return err
			}
		}
		if err := s.attach(ctx, row.ID, in, picture); err != nil {
			return err
		}
		if in.Username != nil {
			if err := s.mails.announceRenamed(ctx, before, *in.Username); err != nil {
				return err
			}
		}
		return s.recordUpdate(ctx, before, password, in.Provider, picture != nil)
	})
}

// endOldPassword deletes what the old password gave access to, and sends an email about the new one: a link to choose
// one, or a notice that it was changed.
func (s *Service) endOldPassword(ctx context.Context, id int64, in Settings, expires bool) error {
	if err := s.store.MailedTokens.DeleteOf(ctx, id, model.MailedReset); err != nil {
		return err
	}
	if err := s.store.Sessions.DeleteByUser(ctx, id); err != nil {
		return err
	}
	row, err := s.store.Users.Get(ctx, id) // the address may have changed, too
	switch {
	case err != nil:
		return err
	case in.SendResetLink:
		return s.mails.SendReset(ctx, row)
	case expires:
		return s.mails.SendNotice(
			ctx, row, "You have a new password",
			"An administrator set a new password for your account. "+
				"When you sign in with it, you will be asked to choose your own password.",
		)
	}
	return s.mails.SendNotice(ctx, row, "Your password was changed", "The password of your account was changed.")
}

// recordUpdate records the audit events of a change. Of a password, they only say that it changed.
func (s *Service) recordUpdate(
	ctx context.Context, before model.User, password bool, provider *string, picture bool,
) error {
	after, err := s.store.Users.Get(ctx, before.ID)
	if err != nil {
		return err
	}
	changes := events.Differences(before, after, events.OfUser(before, "user_updated", ""))
	if password {
		changes = append(changes, events.OfUser(before, "user_password_updated", "Changed password"))
	}
	if provider != nil {
		c := events.OfUser(before, "user_identity_created", "Added identity")
		c.Add = *provider
		changes = append(changes, c)
	}
	if picture {
		changes = append(changes, events.OfUser(before, "user_updated", "Changed the picture"))
	}
	return events.Audit(ctx, s.store, changes...)
}

// explainUpdate turns a conflict at a change into a 404. The API promises it: «the endpoint returns 404 even where 409
// would fit».
func explainUpdate(err error) error {
	var conflict *store.ConflictError
	switch {
	case !errors.As(err, &conflict):
		return err
	case conflict.Constraint == identityTaken:
		return apierr.Invalid("identities.extern_uid", "has already been taken")
	}
	return apierr.NotFound("")
}
