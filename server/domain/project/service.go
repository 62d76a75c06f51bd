// Package project creates, changes, forks, moves, shares and deletes projects.
//
//	service.go   the service and its dependencies
//	place.go     the namespace that a project may be created in or moved to
//	create.go    new projects
//	change.go    changes of settings
//	fork.go      forks and fork relations
//	transfer.go  moves to another namespace
//	state.go     archive, unarchive and delete
//	removal.go   marks for a later deletion, and restoration
//	share.go     shares with groups
//	housekeeping.go  the maintenance of the repository
//	rules.go     validation
//	errors.go    the texts of errors
//	audit.go     audit and activity events
package project

import (
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/store"
)

// Service carries out what callers do with projects. Unless a method says otherwise, its caller has checked that the
// user may do it.
type Service struct {
	store  *store.Store
	access *access.Access
	repos  *lifecycle.Repositories
	writer *commit.Writer
	events *events.Recorder
	hooks  *announce.Announcer // announces to webhooks; nil announces nothing
}

// NewService returns the project service.
func NewService(
	st *store.Store, a *access.Access, repos *lifecycle.Repositories, writer *commit.Writer, recorder *events.Recorder,
	hooks *announce.Announcer,
) *Service {
	return &Service{store: st, access: a, repos: repos, writer: writer, events: recorder, hooks: hooks}
}
