package model

import "time"

// ProjectImport is an import from a URL that has not ended yet.
type ProjectImport struct {
	ProjectID int64  `gorm:"primaryKey"`
	UserID    *int64 // the user who imports; nil if the account was deleted
	Sealed    []byte // the URL with its credentials
	CreatedAt time.Time
}

// ImportedFromGit is the import type of a project whose repository was copied from a URL.
const ImportedFromGit = "git"
