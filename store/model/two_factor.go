package model

import "time"

// TwoFactor is what a user's second factor is checked with; a user has one at most.
type TwoFactor struct {
	ID        int64
	UserID    int64
	OtpSecret string // Base32, as authenticator apps take it
	CreatedAt time.Time
}

// RecoveryCode is a code that replaces the second factor once; only its digest is kept.
type RecoveryCode struct {
	ID     int64
	UserID int64
	Digest []byte
}
