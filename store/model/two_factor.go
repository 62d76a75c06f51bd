package model

import "time"

// TwoFactor is the second factor of a user, who has at most one.
type TwoFactor struct {
	ID        int64
	UserID    int64
	OtpSealed []byte // the secret of the authenticator app, sealed with the instance's key
	OtpStep   int64  // the last step whose code was used: codes up to this step are invalid
	CreatedAt time.Time
}

// RecoveryCode is a code that replaces the second factor once. Only its digest is stored.
type RecoveryCode struct {
	ID     int64
	UserID int64
	Digest []byte
}
