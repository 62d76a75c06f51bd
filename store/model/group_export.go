package model

import "time"

// The states of the export or import of a group.
const (
	ParcelScheduled = "scheduled"
	ParcelStarted   = "started"
	ParcelFinished  = "finished"
	ParcelFailed    = "failed"
)

// GroupExport is the export of a group: one for each, the newest.
type GroupExport struct {
	ID        int64
	GroupID   int64
	UserID    int64 // who asked for it
	State     string
	Filename  string
	Key       *string // where its bytes are, once they are
	Size      int64
	SHA256    string `gorm:"column:sha256"`
	Error     *string
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// GroupImport is the import that a group comes from.
type GroupImport struct {
	ID             int64
	GroupID        int64
	UserID         int64 // who imports
	State          string
	Key            *string // where the archive is, until it is unpacked
	Size           int64
	Records        int64
	Imported       int64
	SkippedMembers int64
	Error          *string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// MemberAddress is a member of a group as an export tells it: by the address that the user shows to everybody.
type MemberAddress struct {
	UserID      int64
	AccessLevel Access
	ExpiresAt   *time.Time
	Username    string
	PublicEmail *string
}

// TableName is where most of the row comes from.
func (MemberAddress) TableName() string { return "members" }
