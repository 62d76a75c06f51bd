// Package commitwrites is commits that are made over the API.
package commitwrites

import (
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
)

// CommitWrites are the operations that make commits.
type CommitWrites struct {
	store  *store.Store
	access *access.Access
	writer *commit.Writer
	show   present.Presenter
}

// New needs who may do what, and how commits are made and shown.
func New(st *store.Store, a *access.Access, w *commit.Writer, show present.Presenter) *CommitWrites {
	return &CommitWrites{store: st, access: a, writer: w, show: show}
}
