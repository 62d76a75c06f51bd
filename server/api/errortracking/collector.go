package errortracking

import (
	"context"

	"svc/gen"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/domain/monitoring/errortracking/format"
)

// SendErrorTrackingEnvelope records the events of an envelope from a client library.
// POST /error_tracking/collector/api/{id}/envelope
func (e *ErrorTracking) SendErrorTrackingEnvelope(
	ctx context.Context, req gen.SendErrorTrackingEnvelopeRequestObject,
) (gen.SendErrorTrackingEnvelopeResponseObject, error) {
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
	return gen.SendErrorTrackingEnvelope200JSONResponse(collected(last)), nil
}

// SendErrorTrackingEvent records an event from an older client library.
// POST /error_tracking/collector/api/{id}/store
func (e *ErrorTracking) SendErrorTrackingEvent(
	ctx context.Context, req gen.SendErrorTrackingEventRequestObject,
) (gen.SendErrorTrackingEventResponseObject, error) {
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
	return gen.SendErrorTrackingEvent200JSONResponse(collected(id)), nil
}

// collected presents the ID of a recorded event.
func collected(id string) gen.CollectedEvent {
	if id == "" {
		return gen.CollectedEvent{}
	}
	return gen.CollectedEvent{ID: &id}
}
