package model

import "time"

// ProtectedBranch says who may push to branches of a name or pattern, and merge into them.
type ProtectedBranch struct {
	ID                   int64
	ProjectID            int64
	Name                 string
	PushAccessLevel      Access
	MergeAccessLevel     Access
	UnprotectAccessLevel Access
	AllowForcePush       bool
	CreatedAt            time.Time
	UpdatedAt            time.Time
}

// ProtectedTag says who may make tags of a name or pattern.
type ProtectedTag struct {
	ID                int64
	ProjectID         int64
	Name              string
	CreateAccessLevel Access
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// Push is a change of a ref that is about to be made.
type Push struct {
	ID        int64
	ProjectID int64
	UserID    *int64
	Batch     string // the same for all refs of one push
	Ref       string
	OldID     string
	NewID     string
	Options   string // one per line
	CreatedAt time.Time
}

// DeletedRepository is a repository whose project is gone.
type DeletedRepository struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	Storage   string
	CreatedAt time.Time
}

// RepositoryChange is a repository that has changed since it was measured.
type RepositoryChange struct {
	ProjectID int64 `gorm:"primaryKey"`
	ChangedAt time.Time
}

// ChangedProject is a project whose repository is to be measured.
type ChangedProject struct {
	Project   Project `gorm:"embedded"`
	ChangedAt time.Time
}

// TableName is where most of the row comes from.
func (ChangedProject) TableName() string { return "projects" }
