package errortracking

import (
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"svc/gen"
	tracking "svc/server/domain/monitoring/errortracking"
	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/store/secret"
)

// maxUnpacked is the maximum size of a body after decompression.
const maxUnpacked = 4 << 20

// CreateErrorTrackingCollectorAPIEnvelope records the events of an envelope from a client library.
// POST /error_tracking/collector/api/{id}/envelope/
func (e *ErrorTracking) CreateErrorTrackingCollectorAPIEnvelope(
	ctx context.Context, req gen.CreateErrorTrackingCollectorAPIEnvelopeRequestObject,
) (gen.CreateErrorTrackingCollectorAPIEnvelopeResponseObject, error) {
	data, err := unpack(req.Body, req.Params.ContentEncoding)
	if err != nil {
		return nil, err
	}
	envelope, err := tracking.ReadEnvelope(data)
	if err != nil {
		return nil, malformed(err)
	}
	if err := e.authorizeClient(ctx, req.ID, tracking.Key(req.Params.XSentryAuth, req.Params.SentryKey, envelope.DSN)); err != nil {
		return nil, err
	}
	last := envelope.EventID
	for _, item := range envelope.Events {
		if last, err = e.recordEvent(ctx, req.ID, item); err != nil {
			return nil, err
		}
	}
	return gen.CreateErrorTrackingCollectorAPIEnvelope200JSONResponse(collected(last)), nil
}

// CreateErrorTrackingCollectorAPIStore records an event from an older client library.
// POST /error_tracking/collector/api/{id}/store/
func (e *ErrorTracking) CreateErrorTrackingCollectorAPIStore(
	ctx context.Context, req gen.CreateErrorTrackingCollectorAPIStoreRequestObject,
) (gen.CreateErrorTrackingCollectorAPIStoreResponseObject, error) {
	if err := e.authorizeClient(ctx, req.ID, tracking.Key(req.Params.XSentryAuth, req.Params.SentryKey, "")); err != nil {
		return nil, err
	}
	data, err := unpack(req.Body, req.Params.ContentEncoding)
	if err != nil {
		return nil, err
	}
	id, err := e.recordEvent(ctx, req.ID, data)
	if err != nil {
		return nil, err
	}
	return gen.CreateErrorTrackingCollectorAPIStore200JSONResponse(collected(id)), nil
}

// authorizeClient answers 401 without a valid client key of the project, and 403 if the project does not accept events.
func (e *ErrorTracking) authorizeClient(ctx context.Context, projectID int64, key string) error {
	if key == "" {
		return apierr.Unauthorized()
	}
	known, open, err := e.store.ErrorTracking.CheckKey(ctx, projectID, secret.Digest(key))
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

// recordEvent records one event and returns its ID.
func (e *ErrorTracking) recordEvent(ctx context.Context, projectID int64, data []byte) (string, error) {
	event, err := tracking.ReadEvent(data, time.Now().UTC())
	if err != nil {
		return "", malformed(err)
	}
	if event.ID == "" {
		var random [16]byte
		rand.Read(random[:]) // never fails
		event.ID = hex.EncodeToString(random[:])
	}
	return event.ID, e.store.ErrorTracking.Record(ctx, model.TrackedError{
		ProjectID: projectID, Fingerprint: event.Fingerprint, Title: event.Title, Description: event.Description,
		Culprit: event.Culprit, Platform: nilIfEmpty(event.Platform), Level: event.Level,
	}, model.TrackedErrorEvent{
		ProjectID: projectID, EventID: event.ID, Level: event.Level, Environment: nilIfEmpty(event.Environment),
		Release: nilIfEmpty(event.Release), Payload: string(event.Payload), OccurredAt: event.At,
	})
}

// unpack reads and decompresses a body. It never reads more than the maximum size.
func unpack(body io.Reader, encoding *string) ([]byte, error) {
	if body == nil {
		return nil, malformed(tracking.ErrMalformed)
	}
	how := ""
	if encoding != nil {
		how = strings.ToLower(strings.TrimSpace(*encoding))
	}
	var err error
	switch how {
	case "", "identity":
	case "gzip":
		body, err = gzip.NewReader(body)
	case "deflate":
		body, err = zlib.NewReader(body)
	default:
		return nil, apierr.UnsupportedMedia(how)
	}
	var data []byte
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(body, maxUnpacked+1))
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge), len(data) > maxUnpacked:
		return nil, apierr.TooLarge()
	case err != nil:
		return nil, malformed(err)
	}
	return data, nil
}

func malformed(error) error { return apierr.Refused("400 Bad request - the event cannot be read") }

func collected(id string) gen.CollectedEvent {
	if id == "" {
		return gen.CollectedEvent{}
	}
	return gen.CollectedEvent{ID: &id}
}

func nilIfEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
