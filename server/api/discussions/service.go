// Package discussions implements the API operations on threads on issues, merge requests, commits and snippets. The
// variants of an operation for issues, merge requests and commits share a file.
//
//	service.go      the operations and what they need
//	list.go         list threads
//	get.go          show a thread
//	create.go       start a thread
//	resolve.go      resolve or reopen a thread
//	reply.go        add a note to a thread
//	note_get.go     show a note of a thread
//	note_update.go  change, resolve or reopen a note of a thread
//	note_delete.go  delete a note of a thread
//	snippet.go      all of these for snippets
//	thread.go       what the operations on threads share
//	note.go         what the operations on notes share
package discussions

import (
	"svc/server/domain/discussion/note"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Discussions implements the operations on threads.
type Discussions struct {
	store *store.Store
	notes *note.Service
	pages pagination.MaxOffset
	show  present.Presenter
}

// New returns the discussion operations.
func New(st *store.Store, t *note.Service, pages pagination.MaxOffset, show present.Presenter) *Discussions {
	return &Discussions{store: st, notes: t, pages: pages, show: show}
}
