// Package jobtokenscopes is whose jobs a project lets in.
package jobtokenscopes

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// JobTokenScopes are the operations on whose jobs a project lets in.
type JobTokenScopes struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New takes how projects and groups are judged and shown.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *JobTokenScopes {
	return &JobTokenScopes{store: st, access: a, pages: pages, show: show}
}
