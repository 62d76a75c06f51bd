package model

import "time"

// TwoFactor is what a user's second factor is checked with; a user has one at most.
type TwoFactor struct {
	ID        int64
	UserID    int64
	OtpSealed []byte // the secret that the authenticator app has, sealed with the instance's key
	OtpStep   int64  // the last step whose code was used: none up to it is good again
	CreatedAt time.Time
}

// RecoveryCode is a code that replaces the second factor once; only its digest is kept.
type RecoveryCode struct {
	ID     int64
	UserID int64
	Digest []byte
}
