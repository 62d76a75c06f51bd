package model

import "time"

// ArchiveArtifact is the type of the zip file with the files of artifacts:paths. Reports have other types.
const ArchiveArtifact = "archive"

// JobArtifact is a file that a job has uploaded. Its bytes are in the blob store.
type JobArtifact struct {
	ID         int64
	ProjectID  int64
	JobID      int64
	FileType   string
	FileFormat string
	Filename   string
	Size       int64
	SHA256     string `gorm:"column:sha256"` // in hexadecimal
	Key        string
	CreatedAt  time.Time
	ExpireAt   *time.Time // nil for never
}

// BlobRemoval is a file that is to be removed from the blob store.
type BlobRemoval struct {
	Key   string `gorm:"primaryKey"`
	DueAt time.Time
}
