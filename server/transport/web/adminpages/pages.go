package adminpages

import (
	"context"
	"embed"

	"svc/server/domain/account"
	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/build"
	"svc/server/platform/config"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Check is a part of the service that can fail.
type Check struct {
	Name string
	Run  func(ctx context.Context) error
}

// Dependencies are what the pages need.
type Dependencies struct {
	Store        *store.Store
	Accounts     *account.Service
	Repositories *lifecycle.Repositories
	Settings     func() *config.Config // in force
	Built        build.Info
	Checks       []Check // of readiness
	Paid         bool    // the tier has the audit log
}

// Pages are the pages of administrators.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// The addresses of the pages.
const (
	usersPath    = "/admin/users"
	groupsPath   = "/admin/groups"
	projectsPath = "/admin/projects"
	jobsPath     = "/admin/background_jobs"
	auditPath    = "/admin/audit_log"
	settingsPath = "/admin/settings"
	healthPath   = "/admin/health"
	storagesPath = "/admin/storages"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get("/admin", page.Admins, func(v *page.Visit) error { return v.Redirect(usersPath) })
	p.registerUsers(r)
	for _, l := range []struct {
		path, label string
		handler     page.Handler
	}{
		{groupsPath, "Groups", p.groups},
		{projectsPath, "Projects", p.projects},
		{jobsPath, "Background jobs", p.jobs},
		{storagesPath, "Storages", p.storages},
		{settingsPath, "Settings in force", p.settings},
		{healthPath, "Version and health", p.health},
	} {
		r.Get(l.path, page.Admins, l.handler)
		r.Nav(page.Administration, l.path, l.label)
	}
	if p.Paid {
		r.Get(auditPath, page.Admins, p.audit)
		r.Nav(page.Administration, auditPath, "Audit log")
	}
	r.Post(jobsPath+"/:id/retry", page.Admins, p.retryJob)
	r.Post(storagesPath+"/move", page.Admins, p.moveStorage)
}

// registerUsers adds the pages of users.
func (p *Pages) registerUsers(r *page.Router) {
	r.Get(usersPath, page.Admins, p.users)
	r.Nav(page.Administration, usersPath, "Users")
	r.Get(usersPath+"/new", page.Admins, p.newUser)
	r.Post(usersPath+"/new", page.Admins, p.createUser)
	r.Get(usersPath+"/:id", page.Admins, p.user)
	r.Get(usersPath+"/:id/edit", page.Admins, p.editUser)
	r.Post(usersPath+"/:id/edit", page.Admins, p.saveUser)
	for verb, t := range transitions {
		r.Post(usersPath+"/:id/"+verb, page.Admins, func(v *page.Visit) error { return p.moveUser(v, t) })
	}
	r.Post(usersPath+"/:id/approve", page.Admins, p.approveUser)
	r.Post(usersPath+"/:id/reject", page.Admins, p.rejectUser)
	r.Post(usersPath+"/:id/reset_password", page.Admins, p.resetPassword)
	r.Post(usersPath+"/:id/disable_two_factor", page.Admins, p.disableTwoFactor)
	r.Post(usersPath+"/:id/delete", page.Admins, p.deleteUser)
	r.Post(usersPath+"/:id/impersonation_tokens/:token/revoke", page.Admins, p.revokeToken)
}

// show shows a page of this package.
func (p *Pages) show(v *page.Visit, name, title string, data any) error {
	return v.Show(page.View{Templates: p.templates, Name: name, Title: title, Data: data})
}
