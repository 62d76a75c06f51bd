package releasepages

import (
	"embed"
	"net/url"

	"svc/server/domain/release"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

//go:embed templates
var templates embed.FS

// maxForm is how many bytes the form of a release may have: the longest notes, and what encoding adds.
const maxForm = 4 << 20

// Dependencies are what the pages need.
type Dependencies struct {
	Store    *store.Store
	Releases *release.Service
	Pusher   *push.Pusher
}

// Pages are the pages of releases.
type Pages struct {
	Dependencies

	templates *page.Templates
}

// New returns the pages.
func New(d Dependencies) *Pages {
	return &Pages{Dependencies: d, templates: page.NewTemplates(templates)}
}

// Register adds the pages. A tag can contain slashes, which its addresses escape.
func (p *Pages) Register(r *page.Router) {
	r.Project("GET", "releases", access.ReadReleases, p.list)
	r.Project("GET", "releases/:tag", access.ReadRelease, p.show).Programs()
	r.Project("GET", "releases/:tag/downloads/*", access.ReadRelease, p.download).Programs()
	r.Project("GET", "releases/permalink/latest", access.ReadRelease, p.latest).Programs()
	r.Project("GET", "releases/permalink/latest/*", access.ReadRelease, p.latest).Programs()
	r.Project("GET", "releases/new", access.AdminRelease, p.newForm)
	r.Project("POST", "releases/new", access.AdminRelease, p.create).MaxForm(maxForm)
	r.Project("GET", "releases/:tag/edit", access.AdminRelease, p.editForm)
	r.Project("POST", "releases/:tag/edit", access.AdminRelease, p.edit).MaxForm(maxForm)
	r.Project("POST", "releases/:tag/delete", access.AdminRelease, p.delete)
	r.Project("POST", "releases/:tag/links", access.AdminRelease, p.addLink)
	r.Project("POST", "releases/:tag/links/:link/delete", access.AdminRelease, p.deleteLink)
}

// base returns the address of the list of releases.
func base(v *page.Visit) string { return "/" + v.Project.Project.FullPath + "/-/releases" }

// address returns the address of a release.
func address(p model.Project, tag string) string {
	return "/" + p.FullPath + "/-/releases/" + url.PathEscape(tag)
}

// crumbs returns the way to a page below the list.
func crumbs(v *page.Visit, more ...page.Link) []page.Link {
	return append([]page.Link{{Path: base(v), Label: "Releases"}}, more...)
}

// mayChange reports whether the caller may change the release of a tag.
func (p *Pages) mayChange(v *page.Visit, row model.ReleaseRow) (bool, error) {
	if !v.May(access.AdminRelease) || !row.Protected {
		return v.May(access.AdminRelease), nil
	}
	return p.Releases.MayChange(v.Request().Context(), *v.Project, row.Release.Tag)
}
