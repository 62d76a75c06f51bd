// Package deploytokens implements the API operations on deploy tokens: tokens of groups and projects that do not belong
// to a user.
//
//	service.go                     construction
//	list.go, get.go                read deploy tokens
//	create.go, delete.go           create and revoke deploy tokens
package deploytokens

import (
	"svc/server/domain/deploytoken"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// DeployTokens implements the operations on deploy tokens.
type DeployTokens struct {
	store  *store.Store
	access *access.Access
	tokens *deploytoken.Service
	pages  pagination.MaxOffset
}

// New returns the deploy token operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset) *DeployTokens {
	return &DeployTokens{store: st, access: a, tokens: deploytoken.New(st), pages: pages}
}
