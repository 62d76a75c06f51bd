package errortracking

import (
	"context"

	"svc/server/domain/monitoring/errortracking/format"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// Unreadable is the answer to an event that cannot be parsed: 400.
func Unreadable() error { return apierr.Refused("400 Bad request - the event cannot be read") }

// AuthorizeClient answers 401 without a valid client key of the project, and 403 if the project does not accept events.
func (s *Service) AuthorizeClient(ctx context.Context, projectID int64, key string) error {
	if key == "" {
		return apierr.Unauthorized()
	}
	known, open, err := s.store.ErrorTracking.CheckKey(ctx, projectID, secret.Digest(key))
	switch {
	case err != nil:
		return err
	case !known:
		return apierr.Unauthorized()
	case !open:
		return apierr.Forbidden()
	}
	return nil
}

// Record records one event and returns its ID.
func (s *Service) Record(ctx context.Context, projectID int64, data []byte) (string, error) {
	event, err := format.ReadEvent(data, clock.Now(ctx).UTC())
	if err != nil {
		return "", Unreadable()
	}
	if event.ID == "" {
		event.ID = randomHex()
	}
	return event.ID, s.store.ErrorTracking.Record(ctx, model.TrackedError{
		ProjectID: projectID, Fingerprint: event.Fingerprint, Title: event.Title, Description: event.Description,
		Culprit: event.Culprit, Platform: nilIfEmpty(event.Platform), Level: event.Level,
	}, model.TrackedErrorEvent{
		ProjectID: projectID, EventID: event.ID, Level: event.Level, Environment: nilIfEmpty(event.Environment),
		Release: nilIfEmpty(event.Release), Payload: string(event.Payload), OccurredAt: event.At,
	})
}

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
