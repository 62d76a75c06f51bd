package model

import "time"

// ErrorTrackingSetting is whether a project keeps the errors of its programs.
type ErrorTrackingSetting struct {
	ProjectID  int64 `gorm:"primaryKey"`
	Active     bool
	Integrated bool
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// ErrorTrackingKey is what programs send errors with.
type ErrorTrackingKey struct {
	ID        int64
	ProjectID int64
	Digest    []byte
	Sealed    []byte
	Key       string `gorm:"-"` // when it was opened
	CreatedAt time.Time
}

// The states of an error.
const (
	ErrorUnresolved = "unresolved"
	ErrorResolved   = "resolved"
	ErrorIgnored    = "ignored"
)

// TrackedError is the events with one fingerprint.
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

// TrackedErrorEvent is one time that an error happened.
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
