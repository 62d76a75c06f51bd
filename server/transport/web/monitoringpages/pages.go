package monitoringpages

import (
	"embed"
	"encoding/json"

	"svc/server/domain/monitoring/alert"
	"svc/server/domain/monitoring/errortracking"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store  *store.Store
	Alerts *alert.Service
	Errors *errortracking.Service
	URL    string // of the service, without a trailing slash
}

// Pages are the pages of alerts and errors.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// The patterns of the pages.
const (
	alertsPattern = "alert_management"
	errorsPattern = "error_tracking"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", alertsPattern, access.ReadAlert, p.alerts)
	r.Project("GET", alertsPattern+"/:iid", access.ReadAlert, p.alert)
	r.Project("POST", alertsPattern+"/:iid", access.UpdateAlert, p.changeAlert)
	r.Project("GET", errorsPattern, access.ReadTrackedError, p.errors)
	r.Project("GET", errorsPattern+"/:id", access.ReadTrackedError, p.error)
	r.Project("POST", errorsPattern+"/:id", access.UpdateTrackedError, p.changeError)
	r.Project("GET", errorsPattern+"/settings", access.ReadErrorTracking, p.setup)
	r.Project("POST", errorsPattern+"/settings", access.AdminErrorTracking, p.changeSetup)
	r.Project("POST", errorsPattern+"/settings/keys", access.AdminErrorTracking, p.createKey)
	r.Project("POST", errorsPattern+"/settings/keys/:id/delete", access.AdminErrorTracking, p.deleteKey)
}

// address returns the address of a list.
func address(v *page.Visit, pattern string) string {
	return "/" + v.Project.Project.FullPath + "/-/" + pattern
}

// parts are the links to the two lists.
func parts(v *page.Visit, here string) []page.Link {
	return []page.Link{
		{Path: address(v, alertsPattern), Label: "Alerts", Here: here == alertsPattern},
		{Path: address(v, errorsPattern), Label: "Errors", Here: here == errorsPattern},
	}
}

// maxPayload is how many bytes of the message of a program a page shows.
const maxPayload = 16 << 10

// pretty returns JSON with one member in each line, cut at the limit of a page.
func pretty(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return ""
	}
	if len(text) > maxPayload {
		return string(text[:maxPayload]) + "\n…"
	}
	return string(text)
}
