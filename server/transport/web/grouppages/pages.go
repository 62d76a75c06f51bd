package grouppages

import (
	"context"
	"embed"

	"svc/server/domain/group"
	"svc/server/domain/group/export"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store   *store.Store
	Access  *access.Access
	Groups  *group.Service
	Exports *export.Service
	// Limit refuses imports that one caller makes too often; the ID is 0.
	Limit func(ctx context.Context, id int64) error
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
	groupsPath      = "/-/groups"
	newGroupPath    = "/-/groups/new"
	importGroupPath = "/-/groups/import"
)

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Group("GET", "", access.ReadGroup, p.home)
	r.Get(groupsPath, page.Members, p.list)
	r.Get(newGroupPath, page.Members, p.newGroup)
	r.Post(newGroupPath, page.Members, p.createGroup)
	r.Get(importGroupPath, page.Members, p.newImport)
	r.Post(importGroupPath, page.Members, p.createImport).MaxForm(page.MaxImport)
	r.Group("GET", "import", access.ReadGroupImport, p.progress)
}
