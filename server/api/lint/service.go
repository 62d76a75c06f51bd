// Package lint implements the API operations that validate CI files without running them.
package lint

import (
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/git"
)

// Lint implements the operations that validate CI files.
type Lint struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	launch *launch.Launcher
}

// New returns the lint operations.
func New(st *store.Store, a *access.Access, repos *git.Repositories, l *launch.Launcher) *Lint {
	return &Lint{store: st, access: a, repos: repos, launch: l}
}
