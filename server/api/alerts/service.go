// Package alerts is what monitoring programs report, and how they do it.
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

// Alerts are the operations on alerts and alert integrations.
type Alerts struct {
	store     *store.Store
	access    *access.Access
	intake    *intake.Intake
	incidents *intake.Incidents
	vault     secret.Vault
	pages     pagination.MaxOffset
	show      present.Presenter
}

// Parts are what alerts are taken in with, and what their keys are sealed with.
type Parts struct {
	Intake    *intake.Intake
	Incidents *intake.Incidents
	Vault     secret.Vault
}

// New takes how projects are judged, and the parts.
func New(st *store.Store, a *access.Access, p Parts, pages pagination.MaxOffset, show present.Presenter) *Alerts {
	return &Alerts{store: st, access: a, intake: p.Intake, incidents: p.Incidents, vault: p.Vault, pages: pages, show: show}
}

// owner is whom the key of an integration is sealed for.
func owner(projectID int64) string { return "project " + strconv.FormatInt(projectID, 10) }

// shown opens an integration and shows it.
func (s *Alerts) shown(p model.Project, i model.AlertIntegration) (gen.AlertIntegration, error) {
	plain, err := s.vault.Open(i.Sealed, owner(i.ProjectID))
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

// change is a change of an integration, for the audit.
func change(p model.Project, i model.AlertIntegration, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Target: events.Target{Type: "AlertManagement::HttpIntegration", ID: i.ID, Details: i.Name}, Message: message,
	}
}
