// Package changelogs implements the API operations that generate a changelog from commit messages.
package changelogs

import (
	"svc/server/domain/repository/changelog/section"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
)

// Changelogs implements the operations on changelogs.
type Changelogs struct {
	access   *access.Access
	sections *section.Service
}

// New returns the changelog operations. limited refuses ranges of more than changelog.MaxCommits commits.
func New(st *store.Store, a *access.Access, pusher *push.Pusher, w *commit.Writer, show present.Presenter, limited bool) *Changelogs {
	return &Changelogs{access: a, sections: section.New(st, a, pusher, w, show.Base, limited)}
}
