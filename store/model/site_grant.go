package model

import "time"

// SiteGrant is a code that brings a signed-in user from the service to a site that is not for everybody.
type SiteGrant struct {
	Digest    []byte `gorm:"primaryKey"` // of the code
	State     []byte // digest of what the browser keeps that has asked
	Host      string // of the site, without a port
	Target    string // where the browser goes then
	ProjectID int64
	UserID    int64
	SessionID int64 // of the service
	ExpiresAt time.Time
}
