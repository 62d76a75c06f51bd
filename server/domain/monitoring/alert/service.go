// Package alert manages what projects do with alerts: the integrations through which monitoring tools send them, the
// settings, and the status and assignees of single alerts. Package intake records the alerts that arrive.
//
//	service.go      the service and its settings
//	change.go       changes the status and the assignees of an alert
//	image.go        the pictures of alerts
//	settings.go     changes the settings of a project
//	integration.go  creates, changes and deletes integrations
//	key.go          the keys of integrations
//	mapping.go      checks samples and mappings of integrations
//	try.go          sends a test alert through an integration
//	format          parses payloads
package alert

import (
	"svc/server/domain/monitoring/intake"
	"svc/server/domain/upload"
	"svc/store"
	"svc/store/secret"
)

// Service changes alerts, their integrations and their settings.
type Service struct {
	store     *store.Store
	intake    *intake.Intake
	incidents *intake.Incidents
	uploads   *upload.Service
	vault     secret.Vault // encrypts the keys of integrations
	paid      bool         // whether projects may have many integrations, and mappings
}

// New returns the service.
func New(
	st *store.Store, in *intake.Intake, incidents *intake.Incidents, uploads *upload.Service, vault secret.Vault, paid bool,
) *Service {
	return &Service{store: st, intake: in, incidents: incidents, uploads: uploads, vault: vault, paid: paid}
}
