// Package deploytokens is tokens of groups and projects that are nobody's.
package deploytokens

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// DeployTokens are the operations on deploy tokens.
type DeployTokens struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New takes how deploy tokens are kept and judged.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *DeployTokens {
	return &DeployTokens{store: st, access: a, pages: pages}
}
