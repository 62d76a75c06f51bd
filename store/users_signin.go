package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// CountFailedSignIn counts a failed attempt to sign in. After too many attempts it locks the account. It returns true only for the
// attempt that locks it. A lock from before the given time has expired.
func (s Users) CountFailedSignIn(ctx context.Context, id, most int64, over time.Time) (locked bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		if err := s.unlock(ctx, over, "id = ? AND ", id); err != nil {
			return err
		}
		count := "UPDATE users SET failed_attempts = failed_attempts + 1 WHERE id = ? AND locked_at IS NULL"
		if err := s.db.Write(ctx).Exec(count, id).Error; err != nil {
			return query.Translate(err)
		}
		res := s.db.Write(ctx).
			Exec("UPDATE users SET locked_at = ? WHERE id = ? AND locked_at IS NULL AND failed_attempts >= ?", s.now(), id, most)
		locked = res.RowsAffected == 1
		return query.Translate(res.Error)
	})
	return locked, err
}

// UnlockExpired removes the locks from before the given time.
func (s Users) UnlockExpired(ctx context.Context, over time.Time) error {
	return s.unlock(ctx, over, "")
}

func (s Users) unlock(ctx context.Context, over time.Time, which string, args ...any) error {
	args = append(args, over)
	return query.Translate(s.db.Write(ctx).
		Exec("UPDATE users SET failed_attempts = 0, locked_at = NULL WHERE "+which+"locked_at <= ?", args...).Error)
}

// ResetFailedSignIns resets the failed attempts of a user who is not locked.
func (s Users) ResetFailedSignIns(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Exec("UPDATE users SET failed_attempts = 0 WHERE id = ? AND locked_at IS NULL", id).Error)
}

// SignIn stores that a user signed in, and activates a deactivated user. It returns false if the account is locked or
// may not be used, whatever an earlier check found. A lock from before the given time has expired.
func (s Users) SignIn(ctx context.Context, id int64, ip string, over time.Time) (bool, error) {
	at := s.now()
	res := s.db.Write(ctx).Exec(`UPDATE users SET failed_attempts = 0, locked_at = NULL, state = ?,
		last_sign_in_at = coalesce(current_sign_in_at, ?), current_sign_in_at = ?,
		last_sign_in_ip = coalesce(current_sign_in_ip, ?), current_sign_in_ip = ?, sign_in_count = sign_in_count + 1, last_activity_on = ?
		WHERE id = ? AND (locked_at IS NULL OR locked_at <= ?) AND state IN ?`,
		model.UserActive, at, at, ip, ip, at.Truncate(24*time.Hour), id, over, []model.UserState{model.UserActive, model.UserDeactivated})
	return res.RowsAffected == 1, query.Translate(res.Error)
}
