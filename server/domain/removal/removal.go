// Package removal decides whether a group or project is deleted at once or only marked for deletion.
package removal

import (
	"context"
	"fmt"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/clock"
)

// Request says how a group or project is to be deleted.
type Request struct {
	Permanently     bool   // deletes what is marked already
	FullPath        string // confirms a permanent deletion
	UnmodifiedSince *time.Time
}

// Subject is the group or project to delete.
type Subject struct {
	Type      string // "Group" or "Project", for error messages
	FullPath  string
	MarkedAt  *time.Time // nil if it is not marked for deletion
	UpdatedAt time.Time
}

// DeleteAt returns the time of deletion to mark a group or project with, or nil if it is to be deleted now. days is the
// period of the settings; 0 means that nothing is marked.
func (r Request) DeleteAt(ctx context.Context, s Subject, days int64) (*time.Time, error) {
	isMarked := s.MarkedAt != nil
	switch {
	case r.Permanently && r.FullPath != s.FullPath:
		return nil, apierr.Refused(fmt.Sprintf(
			"`full_path` is incorrect. You must enter the complete path for the %s.", strings.ToLower(s.Type),
		))
	case days == 0 || r.Permanently && isMarked:
		return nil, nil
	case r.Permanently:
		return nil, apierr.Refused(s.Type + " must be marked for deletion first.")
	case isMarked:
		return nil, AlreadyMarked(s.Type)
	case store.ChangedAfter(s.UpdatedAt, r.UnmodifiedSince):
		return nil, &store.ChangedError{Resource: s.Type}
	}
	at := After(ctx, days)
	return &at, nil
}

// After returns the time of deletion of what is marked now.
func After(ctx context.Context, days int64) time.Time {
	return clock.Now(ctx).UTC().AddDate(0, 0, int(days))
}

// AlreadyMarked refuses to mark a group or project twice.
func AlreadyMarked(subjectType string) error {
	return apierr.Refused(subjectType + " has been already marked for deletion")
}
