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

// ProtectedBranchDeployKey says that a deploy key may push to the branches of a rule.
type ProtectedBranchDeployKey struct {
	ID                int64
	ProtectedBranchID int64
	DeployKeyID       int64
	ProjectID         int64
}

// ProtectedBranchKeyRow is a deploy key that may push to the branches of a rule, with its title.
type ProtectedBranchKeyRow struct {
	Key   ProtectedBranchDeployKey `gorm:"embedded"`
	Title string
}

// TableName returns the table that most columns come from.
func (ProtectedBranchKeyRow) TableName() string { return "protected_branch_deploy_keys" }

// ProtectedBranchRow is a rule with the deploy keys that may push.
type ProtectedBranchRow struct {
	Branch ProtectedBranch
	Keys   []ProtectedBranchKeyRow
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
