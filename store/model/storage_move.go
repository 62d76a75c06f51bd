package model

import "time"

// The states of a move.
const (
	MoveScheduled     = "scheduled"
	MoveStarted       = "started"
	MoveReplicated    = "replicated"
	MoveFinished      = "finished"
	MoveFailed        = "failed"
	MoveCleanupFailed = "cleanup failed"
)

// ProjectStorageMove is a repository on its way to another storage.
type ProjectStorageMove struct {
	ID                 int64
	ProjectID          int64
	State              string
	SourceStorage      string
	DestinationStorage string
	Error              *string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// ProjectStorageMoveRow is a move with the project that is moved.
type ProjectStorageMoveRow struct {
	Move    ProjectStorageMove
	Project Project
}
