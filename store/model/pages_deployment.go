package model

import "time"

// PagesDeployment is the site that a project publishes.
type PagesDeployment struct {
	ProjectID  int64 `gorm:"primaryKey;autoIncrement:false"`
	JobID      int64
	Root       string // the folder of the artifacts that it was
	Key        string
	PackedSize int64
	Size       int64
	FileCount  int64
	CreatedAt  time.Time
}

// PagesSite is what is needed to serve a site.
type PagesSite struct {
	ProjectID        int64
	FullPath         string
	Visibility       Visibility
	PagesAccessLevel FeatureAccess
	Key              string
	PackedSize       int64
	CreatedAt        time.Time
	Secure           bool // whether the name has a certificate
}

// TableName is where most of it comes from.
func (PagesSite) TableName() string { return "pages_deployments" }

// Public tells whether everybody may see the site, signed in or not.
func (s PagesSite) Public() bool {
	return s.PagesAccessLevel == FeaturePublic || s.PagesAccessLevel == FeatureEnabled && s.Visibility == Public
}

// AcmeAccount is the key that we are known by to the authority of a directory.
type AcmeAccount struct {
	Directory string `gorm:"primaryKey"`
	SealedKey []byte
	CreatedAt time.Time
}
