package model

import "time"

// The states of a storage move.
const (
	MoveScheduled     = "scheduled"
	MoveStarted       = "started"
	MoveReplicated    = "replicated"
	MoveFinished      = "finished"
	MoveFailed        = "failed"
	MoveCleanupFailed = "cleanup failed"
)

// StorageMove is a move of a repository to another storage.
type StorageMove struct {
	ID                 int64
	Kind               RepositoryKind `gorm:"-"` // each kind has a table of its own
	OwnerID            int64          // the project, snippet or group
	State              string
	SourceStorage      string
	DestinationStorage string
	Error              *string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// StorageMoveRow is a move with its project, snippet or group, depending on the kind.
type StorageMoveRow struct {
	Move    StorageMove
	Project Project
	Snippet SnippetRow
	Group   Namespace
}
