package hookpages

import (
	"context"
	"embed"
	"net/http"

	"svc/server/domain/webhook"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store *store.Store
	Hooks *webhook.Service
	// Limit refuses tests and resends that one caller makes too often in the project or group with an ID,
	// or for system hooks with the ID 0.
	Limit func(ctx context.Context, id int64) error
}

// Pages are the pages about webhooks.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// Register adds the pages: /{project}/-/hooks, /groups/{group}/-/hooks, /admin/hooks, and what is below them.
func (p *Pages) Register(r *page.Router) {
	for _, form := range []struct {
		method, rest string
		handler      func(v *page.Visit, o owner) error
	}{
		{"GET", "", p.hooks},
		{"GET", "/new", p.newHook},
		{"POST", "/new", p.createHook},
		{"GET", "/:id", p.hook},
		{"GET", "/:id/edit", p.hook},
		{"POST", "/:id/edit", p.changeHook},
		{"POST", "/:id/test", p.testHook},
		{"POST", "/:id/delete", p.deleteHook},
		{"POST", "/:id/headers", p.setHeader},
		{"POST", "/:id/headers/:key/delete", p.deleteHeader},
		{"POST", "/:id/variables", p.setVariable},
		{"POST", "/:id/variables/:key/delete", p.deleteVariable},
		{"GET", "/:id/events/:event", p.delivery},
		{"POST", "/:id/events/:event/resend", p.resend},
	} {
		r.Project(form.method, hooksPath+form.rest, access.AdminHook, func(v *page.Visit) error { return form.handler(v, ofProject(v)) })
		r.Group(form.method, hooksPath+form.rest, access.AdminGroupHook, func(v *page.Visit) error { return form.handler(v, ofGroup(v)) })
		add := r.Get
		if form.method == http.MethodPost {
			add = r.Post
		}
		add(adminHooksPath+form.rest, page.Admins, func(v *page.Visit) error { return form.handler(v, ofInstance()) })
	}
	r.Nav(page.Administration, adminHooksPath, "System hooks")
	r.ProjectSettings(hooksPath, "Webhooks", access.AdminHook)
	r.GroupSettings(hooksPath, "Webhooks", access.AdminGroupHook)
}
