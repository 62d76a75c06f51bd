package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Emails holds the secondary email addresses of users. The primary address is in the row of the user.
type Emails struct{ *base }

const email = "Email"

// ListByUser returns one page of the secondary addresses of a user, the oldest first.
func (s Emails) ListByUser(ctx context.Context, userID int64, p Page) ([]model.Email, Total, error) {
	return query.List[model.Email](s.db.Read(ctx).Where("user_id = ?", userID).Order("id"), p)
}

// GetOfUser returns a secondary address of a user.
func (s Emails) GetOfUser(ctx context.Context, userID, id int64) (model.Email, error) {
	return query.Take[model.Email](s.db.Read(ctx).Where("user_id = ? AND id = ?", userID, id), email)
}

// Create adds a secondary address. It returns a *ConflictError if any user has the address already.
func (s Emails) Create(ctx context.Context, row *model.Email) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.claimEmail(ctx, row.Email, 0, row.UserID); err != nil {
			return err
		}
		if err := query.Translate(s.db.Write(ctx).Create(row).Error); err != nil || row.ConfirmedAt == nil {
			return err
		}
		return s.acceptInvitations(ctx, row.UserID, row.Email)
	})
}

// Owner returns the user who has an address, confirmed or not, and the address itself. A primary address is returned
// with id 0.
func (s Emails) Owner(ctx context.Context, address string) (model.User, model.Email, error) {
	u, err := query.Take[model.User](s.db.Read(ctx).Where("lower(email) = lower(?)", address), user)
	if err == nil {
		return u, model.Email{UserID: u.ID, Email: u.Email, ConfirmedAt: u.ConfirmedAt}, nil
	}
	if !IsNotFound(err) {
		return u, model.Email{}, err
	}
	row, err := query.Take[model.Email](s.db.Read(ctx).Where("lower(email) = lower(?)", address), email)
	if err != nil {
		return u, row, err
	}
	u, err = Users(s).Get(ctx, row.UserID)
	return u, row, err
}

// Confirm marks an address of a user as confirmed, whether primary or secondary, and reports whether the user has that
// address. The user becomes a member wherever the address was invited.
func (s Emails) Confirm(ctx context.Context, userID int64, address string, at time.Time) (found bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		u, further, err := s.LockUser(ctx, userID)
		if err != nil {
			return err
		}
		if strings.EqualFold(u.Email, address) {
			found = true
			if u.ConfirmedAt != nil {
				return nil
			}
			return Users(s).Update(ctx, userID, map[string]any{"confirmed_at": at})
		}
		for _, row := range further {
			if !strings.EqualFold(row.Email, address) {
				continue
			}
			found = true
			if row.ConfirmedAt != nil {
				return nil
			}
			if err := s.db.Write(ctx).Model(&model.Email{}).Where("id = ?", row.ID).
				Updates(map[string]any{"confirmed_at": at}).Error; err != nil {
				return query.Translate(err)
			}
			if err := s.db.Lock(ctx, "email "+strings.ToLower(row.Email)); err != nil { // no invitation meanwhile
				return err
			}
			return s.acceptInvitations(ctx, userID, row.Email)
		}
		return nil
	})
	return found, err
}

// LockUser returns a user with all secondary addresses. Nobody else can change these until the transaction ends.
func (s Emails) LockUser(ctx context.Context, userID int64) (model.User, []model.Email, error) {
	if err := s.hold(ctx, userID); err != nil {
		return model.User{}, nil, err
	}
	u, err := query.Take[model.User](s.db.Write(ctx).Where("id = ?", userID), user)
	if err != nil {
		return u, nil, err
	}
	rows, err := query.Find[model.Email](s.db.Write(ctx).Where("user_id = ?", userID).Order("id"), 0)
	return u, rows, query.Translate(err)
}

func (s Emails) hold(ctx context.Context, userID int64) error {
	return s.db.Lock(ctx, "addresses of user "+strconv.FormatInt(userID, 10))
}

// Promote makes a secondary address the primary one of its user, confirmed at the given time or not confirmed. before
// is the old primary address, which becomes a secondary one. The caller holds the addresses of the user.
func (s Emails) Promote(ctx context.Context, row model.Email, confirmedAt *time.Time, before *model.Email) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, row, email, nil); err != nil {
			return err
		}
		set := map[string]any{"email": row.Email, "confirmed_at": confirmedAt}
		if err := s.db.Write(ctx).Model(&model.User{}).Where("id = ?", row.UserID).Updates(set).Error; err != nil {
			return query.Translate(err)
		}
		if err := s.db.Write(ctx).Create(before).Error; err != nil || confirmedAt == nil {
			return query.Translate(err)
		}
		if err := s.db.Lock(ctx, "email "+strings.ToLower(row.Email)); err != nil { // no invitation meanwhile
			return err
		}
		return s.acceptInvitations(ctx, row.UserID, row.Email)
	})
}

// DeleteOfUser removes a secondary address of a user, unless it was changed after the given time. If the user shows it
// as public or commit email, these are cleared.
func (s Emails) DeleteOfUser(ctx context.Context, userID, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.hold(ctx, userID); err != nil {
			return err
		}
		row, err := s.GetOfUser(ctx, userID, id)
		if err != nil {
			return err
		}
		if err := query.DeleteOne(ctx, s.db, row, email, unchangedSince); err != nil {
			return err
		}
		for _, shown := range []string{"public_email", "commit_email"} {
			q := s.db.Write(ctx).Model(&model.User{}).Where("id = ? AND lower("+shown+") = lower(?)", userID, row.Email)
			if err := q.Update(shown, nil).Error; err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
}

// claimEmail makes sure, until the transaction ends, that no user has an address: not as primary address, exceptUser
// aside, and not as a secondary one. Every transaction that stores an address calls it, so that of two concurrent ones
// one fails. If a user other than the claimant has added the address as a secondary one and has not confirmed it, that
// user loses it.
func (b *base) claimEmail(ctx context.Context, address string, exceptUser, claimant int64) error {
	if err := b.db.Lock(ctx, "email "+strings.ToLower(address)); err != nil {
		return err
	}
	primary, further, err := b.emailTaken(ctx, address, exceptUser)
	if err == nil && !primary && further {
		further, err = b.releaseEmail(ctx, address, claimant)
	}
	switch {
	case err != nil:
		return err
	case primary:
		return &ConflictError{Constraint: "users_email"}
	case further:
		return &ConflictError{Constraint: "emails_email"}
	}
	return nil
}

// releaseEmail removes an unconfirmed secondary address from its user, unless that is the claimant, and reports whether
// the address is still taken.
func (b *base) releaseEmail(ctx context.Context, address string, claimant int64) (taken bool, err error) {
	res := b.db.Write(ctx).
		Where("lower(email) = lower(?) AND confirmed_at IS NULL AND user_id <> ?", address, claimant).Delete(&model.Email{})
	return res.RowsAffected == 0, query.Translate(res.Error)
}

// DeleteUnconfirmed removes the secondary addresses that were added before the given time and never confirmed.
func (s Emails) DeleteUnconfirmed(ctx context.Context, before time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("confirmed_at IS NULL AND created_at < ?", before).Delete(&model.Email{}).Error)
}

// emailTaken reports whether an address is the primary one of a user other than exceptUser, and whether it is a
// secondary one.
func (b *base) emailTaken(ctx context.Context, address string, exceptUser int64) (primary, further bool, err error) {
	q := b.db.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM users WHERE lower(email) = lower(?) AND id <> ?), "+
		"EXISTS (SELECT 1 FROM emails WHERE lower(email) = lower(?))", address, exceptUser, address)
	err = query.ScanFirst(q, &primary, &further)
	return primary, further, query.Translate(err)
}

// ConfirmedOf returns the confirmed secondary email addresses of users, by user.
func (s Emails) ConfirmedOf(ctx context.Context, userIDs []int64) (map[int64][]string, error) {
	found := map[int64][]string{}
	if len(userIDs) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.Email](s.db.Read(ctx).Where("user_id IN ? AND confirmed_at IS NOT NULL", userIDs), len(userIDs))
	for _, row := range rows {
		found[row.UserID] = append(found[row.UserID], row.Email)
	}
	return found, query.Translate(err)
}
