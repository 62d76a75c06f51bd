package member

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// InviteEach invites each mail address separately, so that one refusal does not affect the others. It records the
// refusals by address. row is from NewMember.
func (s *Service) InviteEach(
	ctx context.Context, in Source, addresses []string, row model.Member, refused map[string]string,
) error {
	for _, address := range addresses {
		err := explainInvitation(s.invite(ctx, in, address, row))
		if err := recordRefusal(refused, address, err); err != nil {
			return err
		}
	}
	return nil
}

// invite adds the user who has confirmed the address, or stores an invitation if there is no such user. The invitation
// only has the digest of its random token. Nobody knows the token until mail can deliver it.
func (s *Service) invite(ctx context.Context, in Source, address string, row model.Member) error {
	broken := account.FieldErrors{}
	if account.CheckEmail(broken, "email", address); len(broken) > 0 {
		return apierr.BadParameter("Invite email is invalid")
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		i := model.Invitation{
			SourceType: row.SourceType, SourceID: row.SourceID, Email: address, AccessLevel: row.AccessLevel,
			ExpiresAt: row.ExpiresAt, CreatedByID: row.CreatedByID, TokenDigest: secret.Digest(secret.Random()),
		}
		userID, err := s.store.Invitations.Create(ctx, &i)
		if err != nil {
			return err
		}
		if userID == 0 {
			c := in.invitationChange(address, "invitation_created", "Invited a mail address")
			c.Add = row.AccessLevel.String()
			return events.Audit(ctx, s.store, c)
		}
		row.UserID = userID
		return s.join(ctx, in, &row)
	})
}

func explainInvitation(err error) error {
	var taken *store.ConflictError
	switch {
	case !errors.As(err, &taken):
		return err
	case taken.Constraint == "invitations_source":
		return apierr.BadParameter("Invite email has already been taken")
	}
	return apierr.BadParameter("User already exists in source")
}

// InvitationChange describes what to change in an invitation.
type InvitationChange struct {
	Role      *model.Access // nil leaves the role as it is
	SetExpiry bool          // false leaves the expiry date as it is
	Expires   *time.Time    // nil means no expiry
}

// UpdateInvitation changes the role or the expiry date of an invitation.
func (s *Service) UpdateInvitation(
	ctx context.Context, in Source, address string, c InvitationChange,
) (row model.InvitationRow, err error) {
	set := map[string]any{}
	if c.Role != nil {
		if err := in.checkGrant(*c.Role); err != nil {
			return row, err
		}
		set["access_level"] = *c.Role
	}
	if c.SetExpiry {
		if err := checkExpiry(ctx, c.Expires); err != nil {
			return row, err
		}
		set["expires_at"] = c.Expires
	}
	if len(set) == 0 {
		return row, apierr.BadParameter("access_level, expires_at are missing, at least one parameter must be provided")
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		row, err = s.store.Invitations.Update(ctx, in.Type, in.ID, address, in.Role, set)
		return in.invitationChange(address, "invitation_updated", "Changed invitation"), err
	})
	return row, apierr.OrNotFound(explain(err))
}

// DeleteInvitation withdraws an invitation, unless the invitation was changed after the given time.
func (s *Service) DeleteInvitation(ctx context.Context, in Source, address string, unchangedSince *time.Time) error {
	err := events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.Invitations.Delete(ctx, in.Type, in.ID, address, in.Role, unchangedSince)
		return in.invitationChange(address, "invitation_deleted", "Withdrew invitation"), err
	})
	return apierr.OrNotFound(explain(err))
}
