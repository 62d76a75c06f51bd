package userpages

import (
	"embed"

	"svc/server/domain/key"
	"svc/server/domain/notification"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store         *store.Store
	Keys          *key.Service
	Notifications *notification.Service
}

// Pages are the pages of users.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates, "todo_lines")}
}

const (
	todosPath         = "/-/todos"
	notificationsPath = "/-/profile/notifications"
	gpgPath           = "/-/profile/gpg_keys"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get("/", page.Anyone, p.dashboard)
	r.User("GET", "", p.profile)
	r.Get(todosPath, page.Members, p.todos)
	r.Post(todosPath+"/done", page.Members, p.finishTodos)
	r.Post(todosPath+"/:id/done", page.Members, p.finishTodo)
	r.Get(notificationsPath, page.Members, p.notifications)
	r.Post(notificationsPath, page.Members, p.changeNotifications)
	r.Get(gpgPath, page.Members, p.gpgKeys)
	r.Post(gpgPath, page.Members, p.addGPGKey)
	r.Post(gpgPath+"/:id/delete", page.Members, p.removeGPGKey)
	r.Post(gpgPath+"/:id/revoke", page.Members, p.revokeGPGKey)
	p.registerPlaces(r)
	r.Nav(page.Settings, gpgPath, "GPG keys")
	r.Nav(page.Settings, notificationsPath, "Notifications")
}
