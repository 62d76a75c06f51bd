package model

import "time"

// PagesDeployment is the published Pages site of a project.
type PagesDeployment struct {
	ProjectID  int64 `gorm:"primaryKey;autoIncrement:false"`
	JobID      int64
	Root       string // the folder of the artifacts that was published
	Key        string
	PackedSize int64
	Size       int64
	FileCount  int64
	CreatedAt  time.Time
}

// PagesSite is the data that is needed to serve a site.
type PagesSite struct {
	ProjectID        int64
	FullPath         string
	Visibility       Visibility
	PagesAccessLevel FeatureAccess
	Key              string
	PackedSize       int64
	CreatedAt        time.Time
	Secure           bool // the domain has a certificate
	NotUnique        bool // the site has no name of its own below the host
	PrimaryDomain    string
	PrimarySecure    bool // the primary domain has a certificate
}

// TableName returns the table that most columns come from.
func (PagesSite) TableName() string { return "pages_deployments" }

// Public reports whether everybody can see the site, signed in or not.
func (s PagesSite) Public() bool {
	return s.PagesAccessLevel == FeaturePublic || s.PagesAccessLevel == FeatureEnabled && s.Visibility == Public
}

// AcmeAccount is the key of our account at the certificate authority of a directory.
type AcmeAccount struct {
	Directory string `gorm:"primaryKey"`
	SealedKey []byte
	CreatedAt time.Time
}

// PagesSetting has the settings of the Pages site of a project.
type PagesSetting struct {
	ProjectID       int64 `gorm:"primaryKey;autoIncrement:false"`
	UniqueDomain    bool  // the site has a name of its own below the Pages host
	PrimaryDomainID *int64
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// PagesSettingRow is the settings of a site with its primary domain.
type PagesSettingRow struct {
	PagesSetting  PagesSetting `gorm:"embedded"`
	PrimaryDomain *string
	PrimarySecure *bool // the primary domain has a certificate
}

// TableName returns the table that most columns come from.
func (PagesSettingRow) TableName() string { return "pages_settings" }
