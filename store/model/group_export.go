package model

import "time"

// The states of the export or import of a group.
const (
	ExportScheduled = "scheduled"
	ExportStarted   = "started"
	ExportFinished  = "finished"
	ExportFailed    = "failed"
)

// GroupExport is the newest export of a group. A group has one.
type GroupExport struct {
	ID        int64
	GroupID   int64
	UserID    int64 // the user who asked for it
	State     string
	Filename  string
	Key       *string // key of the file in the blob store, once it is written
	Size      int64
	SHA256    string `gorm:"column:sha256"`
	Error     *string
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// GroupImport is the import that created a group.
type GroupImport struct {
	ID             int64
	GroupID        int64
	UserID         int64 // the user who imports
	State          string
	Key            *string // key of the archive in the blob store, until it is unpacked
	Size           int64
	Records        int64
	Imported       int64
	SkippedMembers int64
	Error          *string
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// MemberAddress is a member of a group as in an export: with the public address of the user.
type MemberAddress struct {
	UserID      int64
	AccessLevel Access
	ExpiresAt   *time.Time
	Username    string
	PublicEmail *string
}

// TableName returns the table that most columns come from.
func (MemberAddress) TableName() string { return "members" }
