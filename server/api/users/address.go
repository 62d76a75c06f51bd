package users

import (
	"context"
	"strings"
	"time"

	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// addresses sets the columns public_email and commit_email. Each address must be a confirmed one of the user, and is
// stored in the spelling of that one.
func (f fields) addresses(b account.FieldErrors, set map[string]any, confirmed []string) {
	for column, value := range map[string]wire.Optional[string]{"public_email": f.publicEmail, "commit_email": f.commitEmail} {
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
func (u *Users) changeAddresses(ctx context.Context, id int64, set map[string]any, f fields) error {
	if f.email == nil && !f.publicEmail.IsSet() && !f.commitEmail.IsSet() {
		return nil
	}
	row, further, err := u.store.Emails.LockUser(ctx, id)
	if err != nil {
		return err
	}
	if f.email != nil {
		if strings.EqualFold(*f.email, row.Email) {
			set["email"] = *f.email
		} else if err := u.promote(ctx, &row, further, f); err != nil {
			return err
		}
	}
	var confirmed []string
	if row.ConfirmedAt != nil {
		confirmed = append(confirmed, row.Email)
	}
	for _, e := range further {
		if e.ConfirmedAt != nil {
			confirmed = append(confirmed, e.Email)
		}
	}
	broken := account.FieldErrors{}
	f.addresses(broken, set, confirmed)
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}

// promote makes one of the secondary addresses the primary one: «email can only change to an already-added secondary
// address». If the address is not confirmed, the user has to confirm it, unless the caller asks to take it as
// confirmed.
func (u *Users) promote(ctx context.Context, row *model.User, further []model.Email, f fields) error {
	for i := range further {
		e := &further[i]
		if !strings.EqualFold(*f.email, e.Email) {
			continue
		}
		confirmed := e.ConfirmedAt
		if now := time.Now().UTC(); confirmed == nil && f.skipReconfirmation {
			confirmed = &now
		}
		before := model.Email{UserID: row.ID, Email: row.Email, ConfirmedAt: row.ConfirmedAt}
		if err := u.store.Emails.Promote(ctx, *e, confirmed, &before); err != nil {
			return err
		}
		row.Email, row.ConfirmedAt = e.Email, confirmed
		*e = before
		if confirmed == nil {
			return u.letters.SendConfirmation(ctx, *row, row.Email)
		}
		return nil
	}
	used, err := u.store.Users.EmailTaken(ctx, *f.email)
	switch {
	case err != nil:
		return err
	case used:
		return apierr.NotFound("") // «the endpoint returns 404 even where 409 would fit»
	}
	return apierr.Invalid("email", "must be an email you own")
}
