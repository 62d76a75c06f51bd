// Package notes implements the API operations on comments on issues, merge requests and snippets. The variants of an
// operation for issues and merge requests share a file.
//
//	service.go  the operations and what they need
//	list.go     list notes
//	filter.go   reads the query parameters of lists
//	get.go      show a note
//	create.go   create a note
//	update.go   change a note
//	delete.go   delete a note
//	snippet.go  all of these for snippets
package notes

import (
	"context"

	"svc/server/domain/discussion/note"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Notes are the operations on notes.
type Notes struct {
	store      *store.Store
	discussion *note.Service
	pages      pagination.MaxOffset
	show       present.Presenter
}

// New returns the note operations.
func New(st *store.Store, t *note.Service, pages pagination.MaxOffset, show present.Presenter) *Notes {
	return &Notes{store: st, discussion: t, pages: pages, show: show}
}

// presenter presents the notes of an item.
func (n *Notes) presenter(ctx context.Context, p note.Item) present.NotePresenter {
	return present.NotePresenter{Presenter: n.show, On: p.On, Appliable: n.discussion.Appliable(ctx, p)}
}
