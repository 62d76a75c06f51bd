package model

import "time"

// Contribution is how many lines an author has added to and removed from a project's default branch.
type Contribution struct {
	ProjectID int64  `gorm:"primaryKey;autoIncrement:false"`
	Email     string `gorm:"primaryKey"`
	Name      string `gorm:"primaryKey"`
	Additions int64
	Deletions int64
}

// ContributionHead is the commit up to which a project's contributions are counted.
type ContributionHead struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	HeadID    string
	UpdatedAt time.Time
}
