package wikipages

import (
	"embed"

	"svc/server/domain/repository/wiki"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
)

//go:embed templates
var templates embed.FS

// maxForm is how many bytes the form of a page may have: the longest text that the API accepts, and what encoding adds.
const maxForm = 16 << 20

// Pages are the pages of wikis.
type Pages struct {
	wikis     *wiki.Service
	templates *page.Templates
}

// New returns the pages.
func New(wikis *wiki.Service) *Pages {
	return &Pages{wikis: wikis, templates: page.NewTemplates(templates)}
}

// wikiRoute is a page of every wiki.
type wikiRoute struct {
	method, pattern string
	writes          bool
	maxForm         int64
	handler         func(v *page.Visit, at place) error
}

// Register adds the pages. A page of the wiki can have any name, so what can be done with it has addresses of its own.
func (p *Pages) Register(r *page.Router) {
	for _, route := range []wikiRoute{
		{"GET", "wikis", false, 0, p.list},
		{"GET", "wikis/*", false, 0, p.show},
		{"GET", "wiki/raw/*", false, 0, p.file},
		{"GET", "wiki/history/*", false, 0, p.history},
		{"GET", "wiki/changes/:version/*", false, 0, p.changes},
		{"GET", "wiki/new", true, 0, p.newForm},
		{"POST", "wiki/new", true, maxForm, p.create},
		{"GET", "wiki/edit/*", true, 0, p.editForm},
		{"POST", "wiki/edit/*", true, maxForm, p.edit},
		{"POST", "wiki/delete/*", true, 0, p.delete},
		{"POST", "wiki/upload", true, maxUpload, p.upload},
	} {
		inProject, inGroup := access.ReadWiki, access.ReadGroupWiki
		if route.writes {
			inProject, inGroup = access.CreateWiki, access.CreateGroupWiki
		}
		handler := func(v *page.Visit) error { return route.handler(v, placeOf(v)) }
		added := []*page.Route{
			r.Project(route.method, route.pattern, inProject, handler), r.Group(route.method, route.pattern, inGroup, handler),
		}
		for _, one := range added {
			if route.maxForm > 0 {
				one.MaxForm(route.maxForm)
			}
		}
	}
}

// place is the wiki of an address.
type place struct {
	wiki.Place
	Base      string // the address of the project or group, and the separator
	MayChange bool
}

// placeOf returns the wiki of the project or group of an address.
func placeOf(v *page.Visit) place {
	if v.Project != nil {
		project := v.Project.Project
		return place{wiki.OfProject(project), "/" + project.FullPath + "/-/", v.May(access.CreateWiki)}
	}
	group := v.Group.Namespace
	return place{wiki.OfGroup(group), "/groups/" + group.FullPath + "/-/", v.May(access.CreateGroupWiki)}
}

// List returns the address of the list of pages.
func (at place) List() string { return at.Base + "wikis" }

// To returns the address of a page.
func (at place) To(slug string) string { return at.Base + "wikis/" + page.EscapePath(slug) }

// Act returns the address of something that can be done with a page: edit, delete, history, raw.
func (at place) Act(act, slug string) string {
	return at.Base + "wiki/" + act + "/" + page.EscapePath(slug)
}

// Changes returns the address of what a version changed.
func (at place) Changes(version, slug string) string { return at.Act("changes/"+version, slug) }

// crumbs returns the way to a page of the wiki.
func (at place) crumbs(more ...page.Link) []page.Link {
	return append([]page.Link{{Path: at.List(), Label: "Wiki"}}, more...)
}
