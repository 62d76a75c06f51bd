package present

import (
	"encoding/json"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// AuditEvent presents an audit event. Events of the instance have further members beside their details.
func AuditEvent(e model.AuditEvent) gen.AuditEvent {
	shown := gen.AuditEvent{
		ID: e.ID, AuthorID: e.AuthorID, EntityID: e.EntityID, EntityType: gen.AuditEntityType(e.EntityType),
		Details: auditDetails(e.Details), CreatedAt: wire.NewTime(e.CreatedAt),
	}
	if e.EntityType != model.AuditInstance {
		return shown
	}
	var target any = e.TargetID
	if id, err := strconv.ParseInt(e.TargetID, 10, 64); err == nil {
		target = id
	}
	shown.IPAddress = wire.Maybe(e.IPAddress)
	shown.AuthorName, shown.EntityPath, shown.TargetDetails = &e.AuthorName, &e.EntityPath, &e.TargetDetails
	shown.TargetType, shown.EventType = &e.TargetType, &e.EventType
	shown.TargetID = &target
	return shown
}

// auditDetails returns details as they were written. Text that is not an object becomes an empty one.
func auditDetails(text string) gen.AuditEventDetails {
	details := gen.AuditEventDetails(text)
	if !strings.HasPrefix(text, "{") || !json.Valid(details) {
		return gen.AuditEventDetails("{}")
	}
	return details
}
