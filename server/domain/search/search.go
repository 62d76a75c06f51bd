// Package search finds things by a text: in a project, in a group with everything below it, or on the whole instance. It
// finds only what the caller sees elsewhere.
//
//	search.go   the service, the place and the text of a search
//	rows.go     projects, issues, merge requests, milestones, snippets, users and comments
//	code.go     files of repositories and wikis
//	term.go     the text of a search for files, with its conditions for paths
//	commits.go  commits
package search

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Limits of the text that is searched for.
const (
	MaxLength = 4096 // characters
	MaxWords  = 64
)

// maxRunning is how many searches read repositories at once. Others wait for their turn.
const maxRunning = 4

// Service searches.
type Service struct {
	store   *store.Store
	repos   *git.Repositories
	running chan struct{}
}

// New returns a Service.
func New(st *store.Store, repos *git.Repositories) *Service {
	return &Service{store: st, repos: repos, running: make(chan struct{}, maxRunning)}
}

// Place is where a search looks: in a project or group that the caller sees or, if both are nil, on the whole instance.
type Place struct {
	Project *model.ProjectRow
	Group   *model.Namespace
}

// Query is what a search looks for.
type Query struct {
	Text            string
	State           string // of issues and merge requests; empty for all
	Confidential    *bool  // of issues; nil for both
	InTitle         bool   // search issues and merge requests only by their titles
	Oldest          bool   // the oldest first
	IncludeArchived bool   // also in archived projects, if the place is not a project
	Ref             string // of a project; empty for its default branch
}

// Check refuses a text that is too long or cannot be searched for.
func (q Query) Check() error {
	switch {
	case utf8.RuneCountInString(q.Text) > MaxLength || len(strings.Fields(q.Text)) > MaxWords:
		return apierr.BadParameter("Search query is too long: it can have at most 4096 characters and 64 words")
	case strings.ContainsRune(q.Text, 0) || !utf8.ValidString(q.Text):
		return apierr.BadParameter("search is invalid")
	}
	return nil
}

// term returns the text without space around it. A search for nothing finds nothing.
func (q Query) term() string { return strings.TrimSpace(q.Text) }

// scope returns the place for the store.
func (p Place) scope(ctx context.Context, q Query) store.IssuableScope {
	if p.Project != nil {
		return store.InProject(*p.Project, access.Reader(ctx))
	}
	scope := store.IssuableScope{Reader: access.Reader(ctx), NonArchived: !q.IncludeArchived}
	if p.Group != nil {
		scope.GroupID = &p.Group.ID
	}
	return scope
}

// turn waits until few enough searches read repositories. The caller must call the function that it returns.
func (s *Service) turn(ctx context.Context) (leave func(), err error) {
	select {
	case s.running <- struct{}{}:
		return func() { <-s.running }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// explain turns failures of git into answers.
func explain(err error) error {
	switch {
	case errors.Is(err, git.ErrTooSlow):
		return apierr.Unprocessable("The search took too long. Search in fewer files, for example with path: or extension:.")
	case errors.Is(err, git.ErrNotFound):
		return apierr.NotFound("Ref")
	}
	return err
}
