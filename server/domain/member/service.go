// Package member changes who belongs to groups and projects: members, access requests and invitations.
//
//	service.go         construction
//	source.go          the group or project of a request, and which roles the caller may give
//	add.go             add members
//	change.go          change and remove members
//	access_request.go  request, approve and deny access
//	invitation.go      invite mail addresses, change and withdraw invitations
//	record.go          audit and activity events
//	errors.go          what the store refuses, as API errors
//	expire.go          end memberships, invitations and shares when they expire
package member

import (
	"svc/server/domain/webhook/announce"
	"svc/store"
)

// Service changes memberships, access requests and invitations.
type Service struct {
	store *store.Store
	hooks *announce.Announcer // announces to webhooks; nil announces nothing
}

// New returns the service.
func New(st *store.Store, hooks *announce.Announcer) *Service {
	return &Service{store: st, hooks: hooks}
}
