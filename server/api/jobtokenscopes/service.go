// Package jobtokenscopes implements the API operations on the job token scope: which job tokens of other projects may
// access a project.
package jobtokenscopes

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// JobTokenScopes implements the operations on the job token scope.
type JobTokenScopes struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the job token scope operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *JobTokenScopes {
	return &JobTokenScopes{store: st, access: a, pages: pages, show: show}
}
