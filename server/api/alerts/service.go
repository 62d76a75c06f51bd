// Package alerts implements the API operations on alerts, alert integrations and alert settings. Monitoring programs
// send alerts through the integrations.
//
//	service.go             the operations and what they need
//	alert.go               shows an alert
//	alert_list.go          lists alerts
//	alert_update.go        changes the status and the assignees of an alert
//	image.go               the pictures of alerts
//	integration.go         shows integrations
//	integration_create.go  creates an integration
//	integration_update.go  changes an integration
//	integration_delete.go  deletes an integration
//	integration_key.go     gives an integration a new key
//	integration_try.go     sends a test alert
//	settings.go            shows and changes the settings of a project
package alerts

import (
	"svc/server/domain/monitoring/alert"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Alerts implements the operations on alerts and alert integrations.
type Alerts struct {
	store  *store.Store
	access *access.Access
	alerts *alert.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the alert operations.
func New(
	st *store.Store, a *access.Access, alerts *alert.Service, pages pagination.MaxOffset, show present.Presenter,
) *Alerts {
	return &Alerts{store: st, access: a, alerts: alerts, pages: pages, show: show}
}
