package model

import "time"

// RelationExport is the newest export of the relations of a group or project. Each has one.
type RelationExport struct {
	ID        int64
	GroupID   *int64
	ProjectID *int64
	UserID    int64 // the user who asked for it
	Batched   bool  // whether a relation can have several files
	State     string
	Error     *string
	ExpiresAt time.Time
	CreatedAt time.Time
	UpdatedAt time.Time
}

// RelationExportFile is a file with the records of a relation. A relation is written if it has files.
type RelationExportFile struct {
	ID          int64
	ExportID    int64
	Relation    string
	BatchNumber int64 // from 1
	Records     int64
	Key         string // in the blob store
	Size        int64
	SHA256      string `gorm:"column:sha256"`
	CreatedAt   time.Time
}
