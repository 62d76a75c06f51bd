package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/domain/monitoring/errortracking/format"
)

// CreateErrorTrackingCollectorAPIEnvelope records the events of an envelope from a client library.
// POST /error_tracking/collector/api/{id}/envelope/
func (e *ErrorTracking) CreateErrorTrackingCollectorAPIEnvelope(
	ctx context.Context, req gen.CreateErrorTrackingCollectorAPIEnvelopeRequestObject,
) (gen.CreateErrorTrackingCollectorAPIEnvelopeResponseObject, error) {
	data, err := unpack(req.Body, req.Params.ContentEncoding)
	if err != nil {
		return nil, err
	}
	envelope, err := format.ReadEnvelope(data)
	if err != nil {
		return nil, errortracking.Unreadable()
	}
	key := format.Key(req.Params.XSentryAuth, req.Params.SentryKey, envelope.DSN)
	if err := e.tracker.AuthorizeClient(ctx, req.ID, key); err != nil {
		return nil, err
	}
	last := envelope.EventID
	for _, item := range envelope.Events {
		if last, err = e.tracker.Record(ctx, req.ID, item); err != nil {
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
	key := format.Key(req.Params.XSentryAuth, req.Params.SentryKey, "")
	if err := e.tracker.AuthorizeClient(ctx, req.ID, key); err != nil {
		return nil, err
	}
	data, err := unpack(req.Body, req.Params.ContentEncoding)
	if err != nil {
		return nil, err
	}
	id, err := e.tracker.Record(ctx, req.ID, data)
	if err != nil {
		return nil, err
	}
	return gen.CreateErrorTrackingCollectorAPIStore200JSONResponse(collected(id)), nil
}

// collected presents the ID of a recorded event.
func collected(id string) gen.CollectedEvent {
	if id == "" {
		return gen.CollectedEvent{}
	}
	return gen.CollectedEvent{ID: &id}
}
