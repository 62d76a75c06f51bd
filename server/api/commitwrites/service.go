// Package commitwrites implements the API operations that create commits.
package commitwrites

import (
	"svc/server/domain/repository/commit"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
)

// CommitWrites implements the operations that create commits.
type CommitWrites struct {
	store  *store.Store
	access *access.Access
	writer *commit.Writer
	show   present.Presenter
}

// New returns the commit write operations.
func New(st *store.Store, a *access.Access, w *commit.Writer, show present.Presenter) *CommitWrites {
	return &CommitWrites{store: st, access: a, writer: w, show: show}
}
