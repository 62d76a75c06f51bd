// Package snippets manages snippets: small sets of files that belong to a user or to a project. Each has a git
// repository.
//
//	service.go       construction
//	find.go          finds a snippet
//	list.go          the lists of snippets
//	get.go           one snippet, and where it was created from
//	create.go        create a snippet
//	update.go        change a snippet
//	draft.go         reads the bodies of both
//	delete.go        delete a snippet
//	raw.go           download a file of a snippet
//	raw_response.go  the file as a response
package snippets

import (
	"context"

	"svc/gen"
	"svc/server/domain/snippet"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// Snippets are the operations on snippets.
type Snippets struct {
	store    *store.Store
	access   *access.Access
	snippets *snippet.Service
	pages    pagination.MaxOffset
	show     present.Presenter
}

// New returns the snippet operations.
func New(
	st *store.Store, a *access.Access, service *snippet.Service, pages pagination.MaxOffset, show present.Presenter,
) *Snippets {
	return &Snippets{store: st, access: a, snippets: service, pages: pages, show: show}
}

// shown returns the presenter of snippets for the caller.
func (s *Snippets) shown(ctx context.Context) func(model.SnippetRow) gen.Snippet {
	r := access.Reader(ctx)
	return s.show.Snippet(r != nil && r.Admin)
}
