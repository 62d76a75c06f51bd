// Package group creates, changes, moves, shares, exports, imports and deletes groups.
//
//	service.go        the service and its dependencies
//	place.go          the group that a group may be created in or moved to
//	create.go         new groups
//	change.go         changes of settings
//	transfer.go       moves to another group
//	delete.go         deletion
//	removal.go        marks for a later deletion, and restoration
//	share.go          shares with other groups
//	export_import.go  scheduled exports and imports; the subpackage export carries them out
//	rules.go          validation
//	errors.go         the texts of errors
package group

import (
	"svc/server/domain/group/export"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/store"
)

// Service carries out what callers do with groups. Unless a method says otherwise, its caller has checked that the
// user may do it.
type Service struct {
	store   *store.Store
	access  *access.Access
	exports *export.Service
	hooks   *announce.Announcer // announces to webhooks; nil announces nothing
}

// NewService returns the group service.
func NewService(st *store.Store, a *access.Access, exports *export.Service, hooks *announce.Announcer) *Service {
	return &Service{store: st, access: a, exports: exports, hooks: hooks}
}
