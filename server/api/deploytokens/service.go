// Package deploytokens is tokens of groups and projects that are nobody's.
package deploytokens

import (
	"svc/server/access"
	"svc/server/page"
	"svc/store"
)

// DeployTokens are the operations on deploy tokens.
type DeployTokens struct {
	store  *store.Store
	access *access.Access
	pages  page.MaxOffset
}

// New takes how deploy tokens are kept and judged.
func New(st *store.Store, a *access.Access, pages page.MaxOffset) *DeployTokens {
	return &DeployTokens{store: st, access: a, pages: pages}
}
