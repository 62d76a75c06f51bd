package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// MailedTokens holds the tokens in links that are sent by email.
type MailedTokens struct{ *base }

const mailedToken = "Token"

// Replace adds a token and removes the earlier ones for the same user, purpose and address: only the newest email
// counts.
func (s MailedTokens) Replace(ctx context.Context, row *model.MailedToken) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		q := s.db.Write(ctx).Where("user_id = ? AND purpose = ? AND lower(email) = lower(?)", row.UserID, row.Purpose, row.Email)
		if err := q.Delete(&model.MailedToken{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Get returns the token with the given purpose and digest, if it has not expired.
func (s MailedTokens) Get(ctx context.Context, purpose string, digest []byte, now time.Time) (model.MailedToken, error) {
	return query.Take[model.MailedToken](
		s.db.Read(ctx).Where("digest = ? AND purpose = ? AND expires_at > ?", digest, purpose, now),
		mailedToken,
	)
}

// Consume is like Get and removes the token. Of two concurrent requests, one gets it.
func (s MailedTokens) Consume(ctx context.Context, purpose string, digest []byte, now time.Time) (model.MailedToken, error) {
	var row model.MailedToken
	err := s.Tx(ctx, func(ctx context.Context) error {
		var err error
		if row, err = s.Get(ctx, purpose, digest, now); err != nil {
			return err
		}
		res := s.db.Write(ctx).Where("id = ?", row.ID).Delete(&model.MailedToken{})
		if res.Error == nil && res.RowsAffected == 0 {
			return &NotFoundError{Resource: mailedToken}
		}
		return query.Translate(res.Error)
	})
	return row, err
}

// DeleteOf removes the tokens of a user with the given purpose.
func (s MailedTokens) DeleteOf(ctx context.Context, userID int64, purpose string) error {
	return query.Translate(s.db.Write(ctx).Where("user_id = ? AND purpose = ?", userID, purpose).Delete(&model.MailedToken{}).Error)
}

// SentSince reports whether a user was sent a token with the given purpose after the given time.
func (s MailedTokens) SentSince(ctx context.Context, userID int64, purpose string, since time.Time) (bool, error) {
	rows, err := query.Find[model.MailedToken](s.db.Read(ctx).
		Where("user_id = ? AND purpose = ? AND created_at > ?", userID, purpose, since).Limit(1), 1)
	return len(rows) > 0, query.Translate(err)
}

// DeleteExpired removes the tokens that expired before the given time and returns how many it removed.
func (s MailedTokens) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("expires_at < ?", before).Delete(&model.MailedToken{})
	return res.RowsAffected, query.Translate(res.Error)
}
