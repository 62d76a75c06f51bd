// Package lint is checks of CI files that run nothing.
package lint

import (
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/git"
)

// Lint are the operations that check CI files.
type Lint struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	launch *launch.Launcher
}

// New takes how projects are judged, and what reads CI files.
func New(st *store.Store, a *access.Access, repos *git.Repositories, l *launch.Launcher) *Lint {
	return &Lint{store: st, access: a, repos: repos, launch: l}
}
