// Package tag creates and deletes the tags of repositories.
package tag

import (
	"context"
	"errors"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/git"
)

// Service creates and deletes tags.
type Service struct {
	store  *store.Store
	pusher *push.Pusher
}

// New returns a Service.
func New(st *store.Store, pusher *push.Pusher) *Service { return &Service{store: st, pusher: pusher} }

// Prefix is what the names of tags begin with in a repository.
const Prefix = "refs/tags/"

// Find returns the tag with the given name, or a 404.
func Find(ctx context.Context, repo git.Repo, name string) (git.Tag, error) {
	id, err := repo.Ref(Prefix + name)
	if errors.Is(err, git.ErrNotFound) {
		return git.Tag{}, apierr.NotFound("Tag")
	}
	if err != nil {
		return git.Tag{}, err
	}
	return read(ctx, repo, name, id)
}

// read reads the tag whose ref has the given object id.
func read(ctx context.Context, repo git.Repo, name, id string) (git.Tag, error) {
	tags, err := repo.ReadTags(ctx, []git.Ref{{Name: Prefix + name, ID: id}})
	if err != nil {
		return git.Tag{}, err
	}
	return tags[0], nil
}
