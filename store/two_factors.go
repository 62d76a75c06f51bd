package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// TwoFactors holds the second factors of users. The user's row also contains whether they have one, because every list
// shows it. Both change in one transaction.
type TwoFactors struct{ *base }

// Enable replaces the second factor and the recovery codes of a user. The secret is sealed. otpStep is the time step of
// the code with which the user proved that they have the secret.
func (s TwoFactors) Enable(ctx context.Context, userID int64, otpSealed []byte, otpStep int64, codeDigests [][]byte) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.delete(ctx, userID); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Create(&model.TwoFactor{UserID: userID, OtpSealed: otpSealed, OtpStep: otpStep}).Error; err != nil {
			return query.Translate(err)
		}
		if err := s.addCodes(ctx, userID, codeDigests); err != nil {
			return err
		}
		return Users(s).Update(ctx, userID, map[string]any{"two_factor": true})
	})
}

func (s TwoFactors) addCodes(ctx context.Context, userID int64, digests [][]byte) error {
	if len(digests) == 0 {
		return nil
	}
	codes := make([]model.RecoveryCode, len(digests))
	for i, digest := range digests {
		codes[i] = model.RecoveryCode{UserID: userID, Digest: digest}
	}
	return query.Translate(s.db.Write(ctx).Create(&codes).Error)
}

// ReplaceCodes replaces the recovery codes of a user.
func (s TwoFactors) ReplaceCodes(ctx context.Context, userID int64, digests [][]byte) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("user_id = ?", userID).Delete(&model.RecoveryCode{}).Error; err != nil {
			return query.Translate(err)
		}
		return s.addCodes(ctx, userID, digests)
	})
}

// Remove removes the second factor of any user, including administrators.
func (s TwoFactors) Remove(ctx context.Context, userID int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.delete(ctx, userID); err != nil {
			return err
		}
		return Users(s).Update(ctx, userID, map[string]any{"two_factor": false})
	})
}

// Get returns a user's second factor.
func (s TwoFactors) Get(ctx context.Context, userID int64) (model.TwoFactor, error) {
	return query.Take[model.TwoFactor](s.db.Read(ctx).Where("user_id = ?", userID), "Two Factor")
}

// UseStep stores that the code of a time step was used. It returns false if the code of this step or a later one was
// used before. If two requests send the same code at once, one of them succeeds.
func (s TwoFactors) UseStep(ctx context.Context, userID, step int64) (bool, error) {
	res := s.db.Write(ctx).Model(&model.TwoFactor{}).Where("user_id = ? AND otp_step < ?", userID, step).Update("otp_step", step)
	return res.RowsAffected == 1, query.Translate(res.Error)
}

// UseRecoveryCode uses up a recovery code of a user. It returns false if there is no such code. If two requests send
// the same code at once, one of them succeeds.
func (s TwoFactors) UseRecoveryCode(ctx context.Context, userID int64, digest []byte) (bool, error) {
	res := s.db.Write(ctx).Where("user_id = ? AND digest = ?", userID, digest).Delete(&model.RecoveryCode{})
	return res.RowsAffected == 1, query.Translate(res.Error)
}

// Disable removes the second factor of a user who is not an administrator. It returns false if there was none.
func (s TwoFactors) Disable(ctx context.Context, userID int64) (bool, error) {
	had := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Model(&model.User{}).Where("id = ? AND two_factor = ? AND admin = ?", userID, true, false).
			Updates(map[string]any{"two_factor": false})
		if res.Error != nil || res.RowsAffected == 0 {
			return query.Translate(res.Error)
		}
		had = true
		return s.delete(ctx, userID)
	})
	return had, err
}

func (s TwoFactors) delete(ctx context.Context, userID int64) error {
	if err := s.db.Write(ctx).Where("user_id = ?", userID).Delete(&model.RecoveryCode{}).Error; err != nil {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Where("user_id = ?", userID).Delete(&model.TwoFactor{}).Error)
}
