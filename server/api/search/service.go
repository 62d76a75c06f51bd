// Package search finds things by a text: on the instance, in a group and in a project.
//
//	service.go  construction
//	list.go     the three operations
//	results.go  the results of each scope
package search

import (
	"svc/server/domain/mergerequest"
	"svc/server/domain/search"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// Search are the operations that search.
type Search struct {
	access *access.Access
	search *search.Service
	merges *mergerequest.Viewer
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the operations that search.
func New(
	a *access.Access, service *search.Service, merges *mergerequest.Viewer, pages pagination.MaxOffset, show present.Presenter,
) *Search {
	return &Search{access: a, search: service, merges: merges, pages: pages, show: show}
}
