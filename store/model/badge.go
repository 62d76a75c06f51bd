package model

import "time"

// Badge is a picture with a link that a project or group shows.
type Badge struct {
	ID        int64
	ProjectID *int64
	GroupID   *int64
	Name      *string
	LinkURL   string `gorm:"column:link_url"`
	ImageURL  string `gorm:"column:image_url"`
	CreatedAt time.Time
	UpdatedAt time.Time
}
