package account

import (
	"context"
	"strings"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// setAddresses sets the columns public_email and commit_email. Each address must be a confirmed one of the user, and is
// stored in the spelling of that one.
func (in Settings) setAddresses(b FieldErrors, set map[string]any, confirmed []string) {
	for column, value := range map[string]wire.Optional[string]{
		"public_email": in.PublicEmail, "commit_email": in.CommitEmail,
	} {
		address := wire.Value(value.Ptr())
		switch own := findFold(address, confirmed); {
		case !value.IsSet():
		case address == "":
			set[column] = nil
		case column == "commit_email" && address == model.PrivateCommitEmail:
			set[column] = address
		case own != "":
			set[column] = own
		default:
			b.Add(column, "must be an email you own")
		}
	}
}

// findFold looks up an address in a list, ignoring case. It returns the spelling of the list, or an empty text.
func findFold(address string, list []string) string {
	for _, own := range list {
		if strings.EqualFold(address, own) {
			return own
		}
	}
	return ""
}

// changeAddresses adds the changes of a user's addresses to set. It locks the addresses until the transaction ends.
func (s *Service) changeAddresses(ctx context.Context, id int64, set map[string]any, in Settings) error {
	if in.Email == nil && !in.PublicEmail.IsSet() && !in.CommitEmail.IsSet() {
		return nil
	}
	row, further, err := s.store.Emails.LockUser(ctx, id)
	if err != nil {
		return err
	}
	if in.Email != nil {
		if strings.EqualFold(*in.Email, row.Email) {
			set["email"] = *in.Email
		} else if err := s.promote(ctx, &row, further, in); err != nil {
			return err
		}
	}
	broken := FieldErrors{}
	in.setAddresses(broken, set, confirmedAddresses(row, further))
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}

// confirmedAddresses returns the confirmed addresses of a user, the primary one first.
func confirmedAddresses(row model.User, further []model.Email) []string {
	var confirmed []string
	if row.ConfirmedAt != nil {
		confirmed = append(confirmed, row.Email)
	}
	for _, e := range further {
		if e.ConfirmedAt != nil {
			confirmed = append(confirmed, e.Email)
		}
	}
	return confirmed
}

// promote makes one of the secondary addresses the primary one: «email can only change to an already-added secondary
// address». If the address is not confirmed, the user has to confirm it, unless the caller asks to take it as
// confirmed.
func (s *Service) promote(ctx context.Context, row *model.User, further []model.Email, in Settings) error {
	for i := range further {
		e := &further[i]
		if !strings.EqualFold(*in.Email, e.Email) {
			continue
		}
		confirmed := e.ConfirmedAt
		if now := clock.Now(ctx).UTC(); confirmed == nil && in.SkipReconfirmation {
			confirmed = &now
		}
		before := model.Email{UserID: row.ID, Email: row.Email, ConfirmedAt: row.ConfirmedAt}
		if err := s.store.Emails.Promote(ctx, *e, confirmed, &before); err != nil {
			return err
		}
		row.Email, row.ConfirmedAt = e.Email, confirmed
		*e = before
		if confirmed == nil {
			return s.mails.SendConfirmation(ctx, *row, row.Email)
		}
		return nil
	}
	used, err := s.store.Users.EmailTaken(ctx, *in.Email)
	switch {
	case err != nil:
		return err
	case used:
		return apierr.NotFound("") // «the endpoint returns 404 even where 409 would fit»
	}
	return apierr.Invalid("email", "must be an email you own")
}
