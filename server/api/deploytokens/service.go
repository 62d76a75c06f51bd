// Package deploytokens implements the API operations on deploy tokens: tokens of groups and projects that do not belong
// to a user.
package deploytokens

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// DeployTokens implements the operations on deploy tokens.
type DeployTokens struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
}

// New returns the deploy token operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *DeployTokens {
	return &DeployTokens{store: st, access: a, pages: pages}
}
