package model

import "time"

// DeployKey is an SSH key that gives access to the repositories of some projects and belongs to no user.
type DeployKey struct {
	ID                int64
	Title             string
	Key               string // the line as it was sent, without white space around it
	FingerprintSHA256 string // base64 without padding, without the prefix SHA256:
	FingerprintMD5    string // hexadecimal pairs with colons
	Public            bool   // every project may enable it
	CreatorID         *int64 // pushes count as pushes of this user; nil if the account was deleted
	ExpiresAt         *time.Time
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// DeployKeyProject is a project that a deploy key gives access to.
type DeployKeyProject struct {
	DeployKeyID int64 `gorm:"primaryKey"`
	ProjectID   int64 `gorm:"primaryKey"`
	CanPush     bool
}

// DeployKeyRow is a deploy key in one project.
type DeployKeyRow struct {
	DeployKey DeployKey `gorm:"embedded"`
	CanPush   bool
}

// TableName returns the table that most columns come from.
func (DeployKeyRow) TableName() string { return "deploy_keys" }

// DeployKeyUse is a project of a deploy key, as the list of all keys shows it.
type DeployKeyUse struct {
	DeployKeyID int64
	CanPush     bool
	ID          int64
	Description *string
	Name        string
	FullName    string
	Path        string
	FullPath    string
	CreatedAt   time.Time
}

// TableName returns the table that most columns come from.
func (DeployKeyUse) TableName() string { return "projects" }
