// Package branch creates and deletes the branches of repositories.
package branch

import (
	"errors"
	"strings"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
)

// Service creates and deletes branches.
type Service struct {
	access *access.Access
	pusher *push.Pusher
	writer *commit.Writer
}

// New returns a Service. The writer creates the first branch of an empty repository, because that branch starts with a
// commit.
func New(a *access.Access, pusher *push.Pusher, w *commit.Writer) *Service {
	return &Service{access: a, pusher: pusher, writer: w}
}

const prefix = "refs/heads/"

// Find returns the branch with the given short name, or an API error. A branch whose name is not allowed any more can
// still exist, and can be deleted.
func Find(repo git.Repo, name string) (git.Ref, error) {
	id, err := repo.Ref(prefix + name)
	if errors.Is(err, git.ErrNotFound) {
		err = apierr.NotFound("Branch")
		if !git.ValidBranch(name) {
			err = apierr.Refused("The branch refname is invalid")
		}
	}
	return git.Ref{Name: name, ID: id}, err
}

// List returns the branches whose short names match, sorted by name. Their names are the short ones.
func List(repo git.Repo, matches func(name string) bool) ([]git.Ref, error) {
	all, err := repo.Refs(prefix)
	refs := all[:0]
	for _, ref := range all {
		if ref.Name = strings.TrimPrefix(ref.Name, prefix); matches(ref.Name) {
			refs = append(refs, ref)
		}
	}
	return refs, err
}
