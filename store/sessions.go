package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// Sessions holds the browser sessions.
type Sessions struct{ *base }

var sessionByDigest = "SELECT s.id, s.user_id, s.digest, s.csrf_digest, s.created_at, s.expires_at, s.remembered, s.last_used_at, " +
	twoFactorMissing + ", " + callerColumns +
	" FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.digest = ?"

// FindByDigest returns the session with this digest and the user that it belongs to.
func (s Sessions) FindByDigest(ctx context.Context, digest []byte) (model.Session, model.Caller, error) {
	var row model.Session
	var c model.Caller
	dest := append([]any{
		&row.ID, &row.UserID, &row.Digest, &row.CSRFDigest, &row.CreatedAt, &row.ExpiresAt, &row.Remembered,
		&row.LastUsedAt, &row.TwoFactorRequired,
	}, callerFields(&c)...)
	err := s.db.Row(ctx, sessionByDigest, []any{s.today(), s.today(), digest}, dest...)
	return row, c, query.Translate(err, "Session")
}

// Create adds a session.
func (s Sessions) Create(ctx context.Context, row *model.Session) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// DeleteExpired removes the sessions that expired before a time and returns their number.
func (s Sessions) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("expires_at < ?", before).Delete(&model.Session{})
	return res.RowsAffected, query.Translate(res.Error)
}

// DeleteByUser signs a user out of all sessions.
func (s Sessions) DeleteByUser(ctx context.Context, userID int64) error {
	return query.Translate(s.db.Write(ctx).Where("user_id = ?", userID).Delete(&model.Session{}).Error)
}

// Delete removes a session.
func (s Sessions) Delete(ctx context.Context, digest []byte) error {
	return query.Translate(s.db.Write(ctx).Where("digest = ?", digest).Delete(&model.Session{}).Error)
}

// Touch stores when a session was last used, and its new expiry.
func (s Sessions) Touch(ctx context.Context, id int64, at, expires time.Time) error {
	set := map[string]any{"last_used_at": at, "expires_at": expires}
	return query.Translate(s.db.Write(ctx).Model(&model.Session{}).Where("id = ?", id).Updates(set).Error)
}

// ListByUser returns one page of the sessions of a user that are valid at the given time, newest first.
func (s Sessions) ListByUser(ctx context.Context, userID int64, at time.Time, p Page) ([]model.Session, Total, error) {
	return query.List[model.Session](s.db.Read(ctx).Where("user_id = ? AND expires_at > ?", userID, at).Order("id DESC"), p)
}

// DeleteOfUser removes one session of a user.
func (s Sessions) DeleteOfUser(ctx context.Context, userID, id int64) error {
	res := s.db.Write(ctx).Where("user_id = ? AND id = ?", userID, id).Delete(&model.Session{})
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: "Session"}
	}
	return query.Translate(res.Error)
}

// DeleteOthers removes all sessions of a user except one.
func (s Sessions) DeleteOthers(ctx context.Context, userID, except int64) error {
	return query.Translate(s.db.Write(ctx).Where("user_id = ? AND id <> ?", userID, except).Delete(&model.Session{}).Error)
}

var sessionByID = "SELECT s.id, s.user_id, s.digest, s.csrf_digest, s.created_at, s.expires_at, s.remembered, s.last_used_at, " +
	twoFactorMissing + ", " + callerColumns +
	" FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ?"

// FindByID returns a session and the user that it belongs to.
func (s Sessions) FindByID(ctx context.Context, id int64) (model.Session, model.Caller, error) {
	var row model.Session
	var c model.Caller
	dest := append([]any{
		&row.ID, &row.UserID, &row.Digest, &row.CSRFDigest, &row.CreatedAt, &row.ExpiresAt, &row.Remembered,
		&row.LastUsedAt, &row.TwoFactorRequired,
	}, callerFields(&c)...)
	err := s.db.Row(ctx, sessionByID, []any{s.today(), s.today(), id}, dest...)
	return row, c, query.Translate(err, "Session")
}
