package grouppages

import (
	"embed"

	"svc/server/domain/group"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store  *store.Store
	Access *access.Access
	Groups *group.Service
}

// Pages are the pages of groups.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

const (
	groupsPath   = "/-/groups"
	newGroupPath = "/-/groups/new"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Group("GET", "", access.ReadGroup, p.home)
	r.Get(groupsPath, page.Members, p.list)
	r.Get(newGroupPath, page.Members, p.newGroup)
	r.Post(newGroupPath, page.Members, p.createGroup)
}
