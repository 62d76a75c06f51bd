package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Tokens holds the personal access tokens.
type Tokens struct{ *base }

// TokenUse is a token with the user that it authenticates.
type TokenUse struct {
	ID            int64
	Digest        []byte
	Scopes        string // separated by spaces
	Impersonation bool
	Revoked       bool
	ExpiresAt     *time.Time
	LastUsedAt    *time.Time
	Caller        model.Caller
	MakerID       *int64 // the user who created an impersonation token
	Maker         *string
}

var tokenLookup = newCallerLookup(
	"t.id, t.digest, t.scopes, t.impersonation, t.revoked, t.expires_at, t.last_used_at, t.created_by_id",
	" FROM personal_access_tokens t JOIN users u ON u.id = t.user_id", " WHERE t.digest = ?",
)

// FindByDigest returns the token with this digest and the user that it belongs to. Every request calls it. Unless ahead is
// nil, it also reads what the request is about.
func (s Tokens) FindByDigest(ctx context.Context, digest []byte, ahead *Ahead) (TokenUse, error) {
	var t TokenUse
	err := tokenLookup.find(
		ctx, s.base, digest, ahead, &t.Caller,
		&t.ID, &t.Digest, &t.Scopes, &t.Impersonation, &t.Revoked, &t.ExpiresAt, &t.LastUsedAt, &t.MakerID,
	)
	if err != nil || !t.Impersonation || t.MakerID == nil {
		return t, query.Translate(err, "Token")
	}
	err = s.db.Row(ctx, "SELECT name FROM users WHERE id = ?", []any{*t.MakerID}, &t.Maker)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil // the account is gone
	}
	return t, query.Translate(err)
}

// Get returns the token with this id.
func (s Tokens) Get(ctx context.Context, id int64) (model.PersonalAccessToken, error) {
	return query.Take[model.PersonalAccessToken](s.db.Read(ctx).Where("id = ?", id), "Token")
}

// GetImpersonation returns the impersonation token with this id for a user.
func (s Tokens) GetImpersonation(ctx context.Context, userID, id int64) (model.PersonalAccessToken, error) {
	q := s.db.Read(ctx).Where("id = ? AND user_id = ? AND impersonation = ?", id, userID, true)
	return query.Take[model.PersonalAccessToken](q, "Impersonation Token")
}

// Create adds a token. It cuts the expiry to a day.
func (s Tokens) Create(ctx context.Context, t *model.PersonalAccessToken) error {
	if t.ExpiresAt != nil {
		day := t.ExpiresAt.UTC().Truncate(24 * time.Hour)
		t.ExpiresAt = &day
	}
	return query.Translate(s.db.Write(ctx).Create(t).Error)
}

// SetDigest replaces the secret of a token by the one with this digest.
func (s Tokens) SetDigest(ctx context.Context, id int64, digest []byte) error {
	return query.Translate(s.db.Write(ctx).Model(&model.PersonalAccessToken{}).
		Where("id = ?", id).Updates(map[string]any{"digest": digest}).Error)
}

// Revoke revokes a token, unless it was changed after the given time. It returns false if the token was already
// revoked. A bot without another active token is removed too.
func (s Tokens) Revoke(ctx context.Context, t model.PersonalAccessToken, unchangedSince *time.Time) (bool, error) {
	var done bool
	err := s.Tx(ctx, func(ctx context.Context) error {
		err := s.lockBotRemoval(ctx, t.UserID)
		if err != nil {
			return err
		}
		if done, err = s.RevokeActive(ctx, t.ID, unchangedSince); err != nil || !done {
			return err
		}
		return Bots(s).removeIfIdle(ctx, t.UserID)
	})
	return done && err == nil, err
}

// RevokeActive revokes a token, unless it was changed after the given time. It returns false if the token was already
// revoked. A bot stays, for its next token.
func (s Tokens) RevokeActive(ctx context.Context, id int64, unchangedSince *time.Time) (bool, error) {
	q := s.db.Write(ctx).Model(&model.PersonalAccessToken{}).Where("id = ? AND revoked = ?", id, false)
	res := query.Unchanged(q, unchangedSince).Updates(map[string]any{"revoked": true})
	if res.Error != nil || res.RowsAffected > 0 || unchangedSince == nil {
		return res.RowsAffected > 0, query.Translate(res.Error)
	}
	row, err := s.Get(ctx, id)
	if err == nil && !row.Revoked {
		err = &ChangedError{Resource: "Token"}
	}
	return false, err
}

// MarkUsed stores when tokens were last used, in one statement.
func (s Tokens) MarkUsed(ctx context.Context, ids []int64, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Exec("UPDATE personal_access_tokens SET last_used_at = ? WHERE id IN ?", at, ids).Error)
}
