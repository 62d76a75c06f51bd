package model

import "time"

// ImportedFromFile is the import type of a project that was imported from an archive.
const ImportedFromFile = "gitlab_project"

// ProjectExport is the newest export of a project. A project has one.
type ProjectExport struct {
	ID          int64
	ProjectID   int64
	UserID      int64 // the user who asked for it
	State       string
	Description *string // replaces that of the project in the archive
	Filename    string
	Key         *string // key of the file in the blob store, once it is written
	Size        int64
	SHA256      string `gorm:"column:sha256"`
	Error       *string
	ExpiresAt   time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ProjectFileImport is an import of a project from an archive that has not ended yet.
type ProjectFileImport struct {
	ID        int64
	ProjectID int64
	UserID    *int64  // the user who imports; nil if the account was deleted
	Key       *string // key of the archive in the blob store, once it is uploaded or downloaded
	Size      int64
	Overrides string // JSON: settings that replace those of the archive, by column
	Imported  int64  // how many records are imported
	CreatedAt time.Time
	UpdatedAt time.Time
}

// ProjectImportFailure is a record of an archive that could not be imported.
type ProjectImportFailure struct {
	ID        int64
	ProjectID int64
	Relation  string
	Line      int64
	Message   string
	CreatedAt time.Time
}

// ArchivedUser is a user whom an archive of a project names.
type ArchivedUser struct {
	ID          int64
	Username    string
	Name        string
	PublicEmail *string
}

// TableName returns the table that the columns come from.
func (ArchivedUser) TableName() string { return "users" }

// ArchivedNote is a note with the number of its issue or merge request.
type ArchivedNote struct {
	Note Note  `gorm:"embedded"`
	On   int64 // the number
}

// TableName returns the table that most columns come from.
func (ArchivedNote) TableName() string { return "notes" }

// ArchivedMergeRequest is a merge request with the number of files that its newest version changes.
type ArchivedMergeRequest struct {
	MergeRequest MergeRequest `gorm:"embedded"`
	Changes      int64
}

// TableName returns the table that most columns come from.
func (ArchivedMergeRequest) TableName() string { return "merge_requests" }
