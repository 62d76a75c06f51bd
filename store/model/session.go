package model

import "time"

// Session is a browser session of a user.
type Session struct {
	ID         int64
	UserID     int64
	Digest     []byte
	CSRFDigest []byte
	CreatedAt  time.Time
	ExpiresAt  time.Time
	IP         string
	UserAgent  string
	Remembered bool // lasts after the browser is closed
	LastUsedAt *time.Time

	// TwoFactorRequired says that a group requires a second factor and the user has none. Only Sessions.Use reads it.
	TwoFactorRequired bool `gorm:"-"`
	// TwoFactorDue is the end of the grace period for that; it is not a column.
	TwoFactorDue *time.Time `gorm:"-"`
}
