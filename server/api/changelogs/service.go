// Package changelogs is changelogs that are made out of commit messages.
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

// Changelogs are the operations on changelogs.
type Changelogs struct {
	store  *store.Store
	access *access.Access
	pusher *push.Pusher
	writer *commit.Writer
	show   present.Presenter
	// limited refuses ranges of more than changelog.MaxCommits.
	limited bool
}

// New takes how projects are judged, how their repositories are read and how commits are made.
func New(st *store.Store, a *access.Access, pusher *push.Pusher, w *commit.Writer, show present.Presenter, limited bool) *Changelogs {
	return &Changelogs{store: st, access: a, pusher: pusher, writer: w, show: show, limited: limited}
}

// told turns what cannot be generated into the answer; other failures are ours.
func told(err error) error {
	var wrong *changelog.Error
	switch {
	case errors.As(err, &wrong):
		return apierr.Unprocessable("Failed to generate the changelog: " + wrong.Reason)
	case errors.Is(err, git.ErrTooLarge):
		return apierr.Unprocessable("Failed to generate the changelog: A file or a commit message is too large")
	}
	return err
}
