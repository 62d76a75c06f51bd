// Package auditevents implements the API operations on audit events: the record of who changed what in the instance, in
// groups and in projects.
//
//	service.go   construction
//	instance.go  events of the whole instance
//	group.go     events of a group
//	project.go   events of a project
//	list.go      a page of events
//	find.go      one event, and which authors a caller may see
package auditevents

import (
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
)

// AuditEvents implements the operations on audit events.
type AuditEvents struct {
	store  *store.Store
	access *access.Access
	paid   bool
}

// New returns the audit event operations. Without a paid tier, all of them answer 403.
func New(st *store.Store, a *access.Access, paid bool) *AuditEvents {
	return &AuditEvents{store: st, access: a, paid: paid}
}

// requirePaid answers 403 if the instance has no paid tier.
func (a *AuditEvents) requirePaid() error {
	if a.paid {
		return nil
	}
	return apierr.TierTooLow()
}
