// Package triggers manages trigger tokens, and starts pipelines with them.
//
//	service.go          the dependencies
//	list.go, get.go     list and show trigger tokens
//	change.go           create, change and delete trigger tokens
//	run.go              start a pipeline with a token
//	authorize.go        the user and the project of a token
package triggers

import (
	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/trigger"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Triggers are the operations on trigger tokens.
type Triggers struct {
	store    *store.Store
	access   *access.Access
	tokens   *access.Authenticator
	triggers *trigger.Service
	launch   *launch.Launcher
	pages    pagination.MaxOffset
	show     present.Presenter
}

// Dependencies are the dependencies of the trigger operations.
type Dependencies struct {
	Store         *store.Store
	Access        *access.Access
	Authenticator *access.Authenticator
	Triggers      *trigger.Service
	Launcher      *launch.Launcher
	Pages         pagination.MaxOffset
	Presenter     present.Presenter
}

// New returns the trigger operations.
func New(d Dependencies) *Triggers {
	return &Triggers{
		store: d.Store, access: d.Access, tokens: d.Authenticator, triggers: d.Triggers, launch: d.Launcher,
		pages: d.Pages, show: d.Presenter,
	}
}
