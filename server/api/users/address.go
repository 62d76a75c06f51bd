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

// addresses notes the changes of the addresses that a user shows. Each must be a confirmed one of their own, and is kept as
// it is spelled there.
func (f fields) addresses(b account.Broken, set map[string]any, confirmed []string) {
	for column, value := range map[string]wire.Optional[string]{"public_email": f.publicEmail, "commit_email": f.commitEmail} {
		address := wire.Value(value.Ptr())
		switch own := among(address, confirmed); {
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

// among finds an address in a list, whatever its case, as it is spelled there.
func among(address string, list []string) string {
	for _, own := range list {
		if strings.EqualFold(address, own) {
			return own
		}
	}
	return ""
}

// readdress adds to a change what it does to a user's addresses; nobody else changes them until it is written.
func (u *Users) readdress(ctx context.Context, id int64, set map[string]any, f fields) error {
	if f.email == nil && !f.publicEmail.IsSet() && !f.commitEmail.IsSet() {
		return nil
	}
	row, further, err := u.store.Emails.Hold(ctx, id)
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
	broken := account.Broken{}
	f.addresses(broken, set, confirmed)
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}

// promote makes one of the further addresses the primary one: «email can only change to an already-added secondary
// address». One that was not confirmed has to be, unless the caller takes it for confirmed.
func (u *Users) promote(ctx context.Context, row *model.User, further []model.Email, f fields) error {
	for i := range further {
		e := &further[i]
		if !strings.EqualFold(*f.email, e.Email) {
			continue
		}
		confirmed := e.ConfirmedAt
		if now := time.Now().UTC(); confirmed == nil && f.takesConfirmed {
			confirmed = &now
		}
		before := model.Email{UserID: row.ID, Email: row.Email, ConfirmedAt: row.ConfirmedAt}
		if err := u.store.Emails.Promote(ctx, *e, confirmed, &before); err != nil {
			return err
		}
		row.Email, row.ConfirmedAt = e.Email, confirmed
		*e = before
		if confirmed == nil {
			return u.letters.Confirm(ctx, *row, row.Email)
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
