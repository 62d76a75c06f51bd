package packagepages

import (
	"embed"
	"strconv"

	"svc/server/domain/packages"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Dependencies are what the pages need.
type Dependencies struct {
	Store    *store.Store
	Packages *packages.Service
	URL      string // of the service, without a trailing slash
}

// Pages are the pages of packages.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "packages", access.ReadPackage, p.projectList)
	r.Group("GET", "packages", access.ReadGroupPackage, p.groupList)
	r.Project("GET", "packages/:id", access.ReadPackage, p.show)
	r.Project("GET", "packages/:id/files/:file", access.ReadPackage, p.download)
	r.Project("POST", "packages/:id/delete", access.DestroyPackage, p.delete)
	r.Project("POST", "packages/:id/files/:file/delete", access.DestroyPackage, p.deleteFile)
}

// address returns the address of a package.
func address(projectPath string, id int64) string {
	return "/" + projectPath + "/-/packages/" + strconv.FormatInt(id, 10)
}
