package model

import "time"

// AdminOnly stands for administrators where a rule names its lowest role. No member has it.
const AdminOnly Access = 60

// ProtectedBranch says which roles may push to branches that match a name or pattern, and merge into them.
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

// ProtectedTag says which roles may create tags that match a name or pattern.
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

// DeletedRepository is a repository of a deleted project.
type DeletedRepository struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	Storage   string
	CreatedAt time.Time
}

// RepositoryChange is a repository that has changed since it was last measured.
type RepositoryChange struct {
	ProjectID int64 `gorm:"primaryKey"`
	ChangedAt time.Time
}

// ChangedProject is a project whose repository has to be measured.
type ChangedProject struct {
	Project   Project `gorm:"embedded"`
	ChangedAt time.Time
}

// TableName returns the table that most columns come from.
func (ChangedProject) TableName() string { return "projects" }
