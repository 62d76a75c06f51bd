// Package section generates the section of a version in the changelog of a project, and commits it.
//
//	section.go   what is generated, and the errors
//	generate.go  reads the commits of a section
//	config.go    the configuration file and the range of commits
//	authors.go   the users who wrote the commits
//	commit.go    writes a section into the file
package section

import (
	"errors"
	"net/http"
	"time"

	"svc/server/domain/repository/changelog"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
)

// Service generates and commits sections.
type Service struct {
	store   *store.Store
	access  *access.Access
	pusher  *push.Pusher
	writer  *commit.Writer
	baseURL string
	limited bool
}

// New returns a Service. baseURL is the URL of the instance. limited refuses ranges of more than changelog.MaxCommits
// commits.
func New(
	st *store.Store, a *access.Access, pusher *push.Pusher, w *commit.Writer, baseURL string, limited bool,
) *Service {
	return &Service{store: st, access: a, pusher: pusher, writer: w, baseURL: baseURL, limited: limited}
}

// Request describes a section.
type Request struct {
	Version    string
	Date       time.Time
	ConfigFile string // empty means the default locations
	ConfigRef  string
	From, To   string // empty for the last stable version, and for the end of the branch
	Trailer    string
}

// Target says where to commit a section.
type Target struct {
	Branch, File, Message string
}

const noCommit = "You are not allowed to commit a changelog on this branch"

// ExplainForbidden gives a 403 a message that says what is forbidden. It returns other errors unchanged.
func ExplainForbidden(err error) error {
	var refused *apierr.Error
	if errors.As(err, &refused) && refused.Status == http.StatusForbidden {
		return apierr.Forbidden(noCommit)
	}
	return err
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

// replaceNotFound replaces git.ErrNotFound with another error. It returns other errors unchanged.
func replaceNotFound(err, instead error) error {
	if errors.Is(err, git.ErrNotFound) {
		return instead
	}
	return err
}
