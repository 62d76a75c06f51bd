package explorepages

import (
	"embed"

	"svc/server/transport/web/page"
	"svc/store"
)

//go:embed templates
var templates embed.FS

// Pages are the pages about the whole instance.
type Pages struct {
	store     *store.Store
	templates *page.Templates
}

// New returns the pages.
func New(st *store.Store) *Pages {
	return &Pages{store: st, templates: page.NewTemplates(templates)}
}

// Register adds the pages.
func (p *Pages) Register(r *page.Router) {
	r.Get("/-/explore", page.Anyone, p.explore)
	r.Get("/-/search", page.Anyone, p.search)
}

// kindLink is a link to one kind of results.
func kindLink(v *page.Visit, parameter, kind, label, here string) page.Link {
	return page.Link{Path: v.With(map[string][]string{parameter: {kind}}, "search"), Label: label, Here: kind == here}
}
