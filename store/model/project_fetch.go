package model

import "time"

// ProjectFetch is how often clients cloned or fetched a project on a day.
type ProjectFetch struct {
	ProjectID int64     `gorm:"primaryKey;autoIncrement:false"`
	Date      time.Time `gorm:"primaryKey"`
	Count     int64
}

// TableName returns the table of the counts.
func (ProjectFetch) TableName() string { return "project_fetches" }
