package model

import "time"

// SiteGrant is a code that signs a user of the service in to a Pages site that is not public.
type SiteGrant struct {
	Digest    []byte `gorm:"primaryKey"` // of the code
	State     []byte // digest of the state that the requesting browser keeps
	Host      string // of the site, without a port
	Target    string // where the browser goes afterwards
	ProjectID int64
	UserID    int64
	SessionID int64 // the session of the service
	ExpiresAt time.Time
}
