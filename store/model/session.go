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
}
