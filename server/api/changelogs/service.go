// Package changelogs implements the API operations that generate a changelog from commit messages.
package changelogs

import (
	"errors"

	"svc/server/domain/repository/changelog"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
)

// Changelogs implements the operations on changelogs.
type Changelogs struct {
	store  *store.Store
	access *access.Access
	pusher *push.Pusher
	writer *commit.Writer
	show   present.Presenter
	// limited refuses ranges of more than changelog.MaxCommits commits.
	limited bool
}

// New returns the changelog operations.
func New(st *store.Store, a *access.Access, pusher *push.Pusher, w *commit.Writer, show present.Presenter, limited bool) *Changelogs {
	return &Changelogs{store: st, access: a, pusher: pusher, writer: w, show: show, limited: limited}
}

// apiError turns an error about the changelog into a 422. It returns other errors unchanged; they are failures of the
// server.
func apiError(err error) error {
	var wrong *changelog.Error
	switch {
	case errors.As(err, &wrong):
		return apierr.Unprocessable("Failed to generate the changelog: " + wrong.Reason)
	case errors.Is(err, git.ErrTooLarge):
		return apierr.Unprocessable("Failed to generate the changelog: A file or a commit message is too large")
	}
	return err
}
