package auditstream

import (
	"encoding/json"
	"time"

	"svc/store/model"
)

// event is an audit event as receivers see it.
type event struct {
	ID            int64           `json:"id"`
	CreatedAt     time.Time       `json:"created_at"`
	EventType     string          `json:"event_type"`
	AuthorID      int64           `json:"author_id"`
	AuthorName    string          `json:"author_name"`
	EntityType    string          `json:"entity_type"`
	EntityID      int64           `json:"entity_id"`
	EntityPath    string          `json:"entity_path"`
	TargetType    string          `json:"target_type"`
	TargetID      string          `json:"target_id"`
	TargetDetails string          `json:"target_details"`
	IPAddress     *string         `json:"ip_address"`
	Details       json.RawMessage `json:"details"`
}

// encode returns an event as one line of JSON, without a line break.
func encode(e model.AuditEvent) ([]byte, error) {
	details := json.RawMessage(e.Details)
	if !json.Valid(details) { // it must not hold up the events after it
		details = json.RawMessage("{}")
	}
	return json.Marshal(event{
		ID: e.ID, CreatedAt: e.CreatedAt.UTC(), EventType: e.EventType, AuthorID: e.AuthorID, AuthorName: e.AuthorName,
		EntityType: e.EntityType, EntityID: e.EntityID, EntityPath: e.EntityPath, TargetType: e.TargetType,
		TargetID: e.TargetID, TargetDetails: e.TargetDetails, IPAddress: e.IPAddress, Details: details,
	})
}
