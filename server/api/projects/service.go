// Package projects is projects and what they are set to.
package projects

import (
	"svc/server/access"
	"svc/server/commit"
	"svc/server/measure"
	"svc/server/page"
	"svc/server/present"
	"svc/store"
)

// Projects are the operations on projects.
type Projects struct {
	store  *store.Store
	access *access.Access
	pages  page.MaxOffset
	show   present.Presenter
	writer *commit.Writer
	meter  *measure.Measurer
}

// New takes how projects are found, judged and shown, and how their repositories begin.
func New(st *store.Store, a *access.Access, pages page.MaxOffset, show present.Presenter, w *commit.Writer, m *measure.Measurer) *Projects {
	return &Projects{store: st, access: a, pages: pages, show: show, writer: w, meter: m}
}
