package present

import (
	"encoding/json"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/naming"
	"svc/store/model"
)

// ErrorTrackingSettings presents the settings of error tracking.
func ErrorTrackingSettings(s model.ErrorTrackingSetting) gen.ErrorTrackingSettings {
	return gen.ErrorTrackingSettings{Active: s.Active, Integrated: s.Integrated}
}

// ErrorTrackingClientKey presents a client key that is decrypted.
func (p Presenter) ErrorTrackingClientKey(k model.ErrorTrackingKey) gen.ErrorTrackingClientKey {
	return gen.ErrorTrackingClientKey{
		ID: k.ID, Active: true, PublicKey: k.Key, ErrsvcDsn: naming.CollectorURL(p.Base, k.Key, k.ProjectID),
	}
}

// TrackedError presents an error.
func TrackedError(e model.TrackedError) gen.TrackedError {
	return gen.TrackedError{
		ID: e.ID, ProjectID: e.ProjectID, Title: e.Title, Description: e.Description, Culprit: e.Culprit,
		Platform: e.Platform, Level: e.Level,
		Status: gen.TrackedErrorStatus(e.Status), Count: e.EventsCount, FirstSeen: wire.NewTime(e.FirstSeenAt),
		LastSeen: wire.NewTime(e.LastSeenAt), ResolvedAt: wire.TimePtr(e.ResolvedAt),
	}
}

// TrackedErrorEvent presents one occurrence of an error.
func TrackedErrorEvent(e model.TrackedErrorEvent) gen.TrackedErrorEvent {
	payload := map[string]any{}
	_ = json.Unmarshal([]byte(e.Payload), &payload) // the text was parsed before it was stored
	return gen.TrackedErrorEvent{
		ID: e.ID, EventID: e.EventID, Level: e.Level, Environment: e.Environment, Release: e.Release,
		OccurredAt: wire.NewTime(e.OccurredAt), CreatedAt: wire.NewTime(e.CreatedAt), Payload: payload,
	}
}
