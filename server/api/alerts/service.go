// Package alerts implements the API operations on alerts, alert integrations and alert settings. Monitoring programs
// send alerts through the integrations.
package alerts

import (
	"strconv"

	"svc/gen"
	"svc/server/domain/ci/variables"
	"svc/server/domain/monitoring/intake"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// Alerts implements the operations on alerts and alert integrations.
type Alerts struct {
	store     *store.Store
	access    *access.Access
	intake    *intake.Intake
	incidents *intake.Incidents
	vault     secret.Vault
	pages     pagination.MaxOffset
	show      present.Presenter
}

// Dependencies are the services that process alerts, and the vault that encrypts the keys of integrations.
type Dependencies struct {
	Intake    *intake.Intake
	Incidents *intake.Incidents
	Vault     secret.Vault
}

// New returns the alert operations.
func New(st *store.Store, a *access.Access, p Dependencies, pages pagination.MaxOffset, show present.Presenter) *Alerts {
	return &Alerts{store: st, access: a, intake: p.Intake, incidents: p.Incidents, vault: p.Vault, pages: pages, show: show}
}

// sealOwner is the owner under which the vault encrypts the key of an integration.
func sealOwner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// presentIntegration decrypts the key of an integration and presents the integration.
func (s *Alerts) presentIntegration(p model.Project, i model.AlertIntegration) (gen.AlertIntegration, error) {
	plain, err := s.vault.Open(i.Sealed, sealOwner(i.ProjectID))
	if err != nil {
		return gen.AlertIntegration{}, err
	}
	i.Key = string(plain)
	slug := variables.Slug(i.Name)
	if slug == "" {
		slug = "http-endpoint"
	}
	return s.show.AlertIntegration(i, p.FullPath, slug), nil
}

// change describes a change of an integration for the audit events.
func change(p model.Project, i model.AlertIntegration, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Project(p),
		Target:  events.Target{Type: "AlertManagement::HttpIntegration", ID: i.ID, Details: i.Name},
		Message: message,
	}
}
