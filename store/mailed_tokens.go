package store

import (
	"context"
	"time"

	"svc/store/model"
)

// MailedTokens are what links in mails open.
type MailedTokens struct{ *base }

const mailedToken = "Token"

// Replace adds a token in place of the others of its user, purpose and address: only the newest mail counts.
func (s MailedTokens) Replace(ctx context.Context, row *model.MailedToken) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		q := s.write(ctx).Where("user_id = ? AND purpose = ? AND lower(email) = lower(?)", row.UserID, row.Purpose, row.Email)
		if err := q.Delete(&model.MailedToken{}).Error; err != nil {
			return translate(err)
		}
		return translate(s.write(ctx).Create(row).Error)
	})
}

// Get returns the token of a purpose with that digest, if its time is not over.
func (s MailedTokens) Get(ctx context.Context, purpose string, digest []byte, now time.Time) (model.MailedToken, error) {
	return take[model.MailedToken](s.read(ctx).Where("digest = ? AND purpose = ? AND expires_at > ?", digest, purpose, now), mailedToken)
}

// Use is Get, and uses the token up: of two requests at once, one gets it.
func (s MailedTokens) Use(ctx context.Context, purpose string, digest []byte, now time.Time) (model.MailedToken, error) {
	var row model.MailedToken
	err := s.Tx(ctx, func(ctx context.Context) error {
		var err error
		if row, err = s.Get(ctx, purpose, digest, now); err != nil {
			return err
		}
		res := s.write(ctx).Where("id = ?", row.ID).Delete(&model.MailedToken{})
		if res.Error == nil && res.RowsAffected == 0 {
			return &NotFoundError{Resource: mailedToken}
		}
		return translate(res.Error)
	})
	return row, err
}

// DeleteOf takes the links of a purpose away from a user.
func (s MailedTokens) DeleteOf(ctx context.Context, userID int64, purpose string) error {
	return translate(s.write(ctx).Where("user_id = ? AND purpose = ?", userID, purpose).Delete(&model.MailedToken{}).Error)
}

// SentSince tells whether a user was sent a link of a purpose after a time.
func (s MailedTokens) SentSince(ctx context.Context, userID int64, purpose string, since time.Time) (bool, error) {
	rows, err := find[model.MailedToken](s.read(ctx).Where("user_id = ? AND purpose = ? AND created_at > ?", userID, purpose, since).Limit(1), 1)
	return len(rows) > 0, translate(err)
}

// DeleteExpired removes the tokens that ended before a time and tells how many.
func (s MailedTokens) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("expires_at < ?", before).Delete(&model.MailedToken{})
	return res.RowsAffected, translate(res.Error)
}
