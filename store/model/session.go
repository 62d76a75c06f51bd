package model

import "time"

// Session is a signed-in browser.
type Session struct {
	ID         int64
	UserID     int64
	Digest     []byte
	CSRFDigest []byte
	CreatedAt  time.Time
	ExpiresAt  time.Time
	IP         string
	UserAgent  string
	Remembered bool // beyond the end of the browser
	LastUsedAt *time.Time

	// TwoFactorRequired says that a group requires a second factor of the user, who has none. Only Sessions.Use reads it.
	TwoFactorRequired bool `gorm:"-"`
	// TwoFactorDue is when the grace period for that ends; no column.
	TwoFactorDue *time.Time `gorm:"-"`
}
