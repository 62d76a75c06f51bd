// Package lint implements the API operations that validate CI files without running them.
package lint

import (
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/store"
)

// Lint implements the operations that validate CI files.
type Lint struct {
	store  *store.Store
	access *access.Access
	launch *launch.Launcher
}

// New returns the lint operations.
func New(st *store.Store, a *access.Access, l *launch.Launcher) *Lint {
	return &Lint{store: st, access: a, launch: l}
}
