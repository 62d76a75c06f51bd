package model

import "time"

// ErrorTrackingSetting says whether a project stores the errors of its programs.
type ErrorTrackingSetting struct {
	ProjectID  int64 `gorm:"primaryKey"`
	Active     bool
	Integrated bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// ErrorTrackingKey is the key with which programs send errors.
type ErrorTrackingKey struct {
	ID        int64
	ProjectID int64
	Digest    []byte
	Sealed    []byte
	Key       string `gorm:"-"` // decrypted; set by the reader
	CreatedAt time.Time
}

// The states of an error.
const (
	ErrorUnresolved = "unresolved"
	ErrorResolved   = "resolved"
	ErrorIgnored    = "ignored"
)

// TrackedError is all events with one fingerprint.
type TrackedError struct {
	ID          int64
	ProjectID   int64
	Fingerprint string
	Title       string
	Description string
	Culprit     string
	Platform    *string
	Level       string
	Status      string
	EventsCount int64
	FirstSeenAt time.Time
	LastSeenAt  time.Time
	ResolvedAt  *time.Time
}

// TrackedErrorEvent is one occurrence of an error.
type TrackedErrorEvent struct {
	ID          int64
	ProjectID   int64
	ErrorID     int64
	EventID     string
	Level       string
	Environment *string
	Release     *string
	Payload     string
	OccurredAt  time.Time
	CreatedAt   time.Time
}
