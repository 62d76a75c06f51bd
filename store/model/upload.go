package model

import "time"

// Upload is a file that a user has attached to a text of a project or group.
type Upload struct {
	ID           int64
	ProjectID    *int64
	GroupID      *int64
	Secret       string // 32 hexadecimal digits, part of the address
	Filename     string
	Size         int64
	SHA256       string `gorm:"column:sha256"`
	Key          string // of the file in the blob store
	UploadedByID *int64
	CreatedAt    time.Time
}

// UploadRow is an upload with the user who made it.
type UploadRow struct {
	Upload   Upload       `gorm:"embedded"`
	Uploader ProjectOwner `gorm:"embedded;embeddedPrefix:uploader_"` // without an id if the account was deleted
}

// TableName returns the table that most columns come from.
func (UploadRow) TableName() string { return "uploads" }
