// Package tokens manages access tokens: personal, impersonation, project and group tokens.
//
//	service.go               dependencies
//	find.go                  find a token that the caller may see
//	input.go                 read the requests for new tokens
//	filter.go                the filters of lists
//	personal.go              list and show personal access tokens
//	create.go                create personal access tokens
//	revoke.go                revoke personal access tokens
//	rotate.go                replace personal access tokens
//	self.go                  show the token that the request was made with
//	impersonation.go         list and show impersonation tokens
//	impersonation_write.go   create and revoke impersonation tokens
//	resource_list.go         list the tokens of a group or project
//	resource_get.go          show a token of a group or project
//	resource_create.go       create a token of a group or project
//	resource_revoke.go       revoke a token of a group or project
//	resource_rotate.go       replace a token of a group or project
//	resource_rotate_self.go  replace the token of a group or project that the request was made with
package tokens

import (
	"svc/server/domain/token"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Tokens are the operations on access tokens.
type Tokens struct {
	store  *store.Store
	access *access.Access
	tokens *token.Service
	pages  pagination.MaxOffset
}

// New returns the token operations.
func New(st *store.Store, a *access.Access, tokens *token.Service, pages pagination.MaxOffset) *Tokens {
	return &Tokens{store: st, access: a, tokens: tokens, pages: pages}
}
