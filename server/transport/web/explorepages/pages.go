package explorepages

import (
	"embed"

	"svc/server/domain/search"
	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Pages are the pages about the whole instance.
type Pages struct {
	store     *store.Store
	search    *search.Service
	templates *page.Templates
}

// New returns the pages.
func New(st *store.Store, service *search.Service) *Pages {
	return &Pages{store: st, search: service, templates: page.NewTemplates(templates)}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get("/-/explore", page.Anyone, p.explore)
	r.Get("/-/search", page.Anyone, p.results)
}

// kindLink is a link to one kind of results.
func kindLink(v *page.Visit, parameter, kind, label, here string) page.Link {
	return page.Link{Path: v.With(map[string][]string{parameter: {kind}}, "search"), Label: label, Here: kind == here}
}
