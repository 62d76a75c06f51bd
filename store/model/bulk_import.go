package model

import "time"

// The states of an import from another instance, and of its groups and projects.
const (
	BulkImportCreated  = "created"
	BulkImportStarted  = "started"
	BulkImportFinished = "finished"
	BulkImportFailed   = "failed"
	BulkImportTimeout  = "timeout"
	BulkImportCanceled = "canceled"
)

// The kinds of things that are imported.
const (
	BulkImportGroup   = "group"
	BulkImportProject = "project"
)

// BulkImport is an import of groups and projects from another instance.
type BulkImport struct {
	ID          int64
	UserID      int64
	SourceURL   string
	Sealed      []byte // the access token of the other instance; nil after the end
	Status      string
	HasFailures bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// BulkImportEntity is a group or project of an import.
type BulkImportEntity struct {
	ID                   int64
	BulkImportID         int64
	ParentID             *int64
	EntityType           string
	SourceFullPath       string
	DestinationSlug      string
	DestinationNamespace string
	MigrateProjects      bool
	MigrateMemberships   bool
	Status               string
	NamespaceID          *int64
	ProjectID            *int64
	Stage                string // what is copied next
	Page                 int64  // of the stage
	Attempts             int64  // requests for the page that failed
	Stats                string // a JSON object of BulkImportStats by stage
	HasFailures          bool
	CreatedAt            time.Time
	UpdatedAt            time.Time
}

// Ended reports whether nothing more is copied.
func (e BulkImportEntity) Ended() bool {
	return e.Status != BulkImportCreated && e.Status != BulkImportStarted
}

// BulkImportStats counts the records of one kind.
type BulkImportStats struct {
	Source   int64 `json:"source"`
	Fetched  int64 `json:"fetched"`
	Imported int64 `json:"imported"`
}

// BulkImportFailure is something that could not be copied.
type BulkImportFailure struct {
	ID               int64
	EntityID         int64
	Relation         string
	ExceptionClass   string
	ExceptionMessage string
	SourceURL        *string
	SourceTitle      *string
	CreatedAt        time.Time
}

// BulkImportEntityRow is a group or project of an import, with its first failures.
type BulkImportEntityRow struct {
	Entity   BulkImportEntity
	Failures []BulkImportFailure
}
