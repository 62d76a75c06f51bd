// Package token creates, rotates and revokes access tokens: personal and impersonation tokens of users, and the tokens
// of groups and projects, which belong to bot users. The API, the web pages and the command line share it.
//
//	service.go          construction
//	token.go            stores, revokes and rotates rows, with audit events
//	request.go          the request for a new token
//	rules.go            the rules that a request breaks, as texts
//	by_username.go      tokens made on the command line
//	personal.go         create and revoke tokens of users
//	rotate.go           replace a token of any kind
//	resource.go         create and revoke tokens of groups and projects, and their bot users
//	resource_rotate.go  replace tokens of groups and projects
package token

import (
	"svc/server/platform/access"
	"svc/store"
)

// Service creates, rotates and revokes access tokens.
type Service struct {
	store    *store.Store
	lifetime access.Lifetime
	mailHost string
}

// New returns the service. lifetime limits how long tokens are valid, unless the settings do. Bots get email addresses below
// mailHost, which receive no mail.
func New(st *store.Store, lifetime access.Lifetime, mailHost string) *Service {
	return &Service{store: st, lifetime: lifetime, mailHost: mailHost}
}

// longest returns the lifetime of new tokens at most.
func (s *Service) longest() access.Lifetime { return access.LifetimeOf(s.store, s.lifetime) }
