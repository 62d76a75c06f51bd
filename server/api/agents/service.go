// Package agents implements the API operations on cluster agents: programs that run in a cluster and act for a project.
package agents

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Agents implements the operations on cluster agents.
type Agents struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New returns the cluster agent operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *Agents {
	return &Agents{store: st, access: a, pages: pages}
}
