package store

import (
	"context"
	"time"

	"svc/store/model"
)

// Sessions are signed-in browsers.
type Sessions struct{ *base }

const sessionByDigest = "SELECT s.id, s.user_id, s.digest, s.csrf_digest, s.created_at, s.expires_at, " + callerColumns +
	" FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.digest = ?"

// Use returns the session with that digest and who it belongs to.
func (s Sessions) Use(ctx context.Context, digest []byte) (model.Session, model.Caller, error) {
	var row model.Session
	var c model.Caller
	dest := append([]any{&row.ID, &row.UserID, &row.Digest, &row.CSRFDigest, &row.CreatedAt, &row.ExpiresAt}, callerFields(&c)...)
	err := s.first(ctx, sessionByDigest, []any{digest}, dest...)
	return row, c, translate(err, "Session")
}

// Create adds a session.
func (s Sessions) Create(ctx context.Context, row *model.Session) error {
	return translate(s.write(ctx).Create(row).Error)
}

// DeleteExpired removes the sessions that ended before a time and tells how many.
func (s Sessions) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("expires_at < ?", before).Delete(&model.Session{})
	return res.RowsAffected, translate(res.Error)
}

// DeleteByUser signs a user out everywhere.
func (s Sessions) DeleteByUser(ctx context.Context, userID int64) error {
	return translate(s.write(ctx).Where("user_id = ?", userID).Delete(&model.Session{}).Error)
}
