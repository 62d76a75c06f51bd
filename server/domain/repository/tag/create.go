package tag

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Draft describes a new tag.
type Draft struct {
	Name    string
	Ref     string // the branch, tag or commit that it points to
	Message string // of an annotated tag; blank for a tag without one
}

// Create creates a tag for a caller who may push to the project. With a message, it is an annotated tag.
func (s *Service) Create(ctx context.Context, row model.ProjectRow, repo git.Repo, d Draft) (git.Tag, error) {
	if !git.ValidTag(d.Name) {
		return git.Tag{}, apierr.Refused("Tag name invalid")
	}
	if _, err := repo.Ref(Prefix + d.Name); err == nil {
		return git.Tag{}, apierr.Refused("Tag " + d.Name + " already exists")
	}
	target, err := s.target(ctx, repo, d)
	if err != nil {
		return git.Tag{}, err
	}
	err = s.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: Prefix + d.Name, Old: git.Zero, New: target})
	if err != nil {
		taken := apierr.Refused("Failed to create tag '" + d.Name + "': the name conflicts with another tag")
		return git.Tag{}, push.Explain(err, taken)
	}
	return read(ctx, repo, d.Name, target)
}

// target returns the object that a new tag points to: a commit or, with a message, an annotated tag by the caller.
func (s *Service) target(ctx context.Context, repo git.Repo, d Draft) (string, error) {
	id, err := repo.Resolve(ctx, d.Ref)
	if errors.Is(err, git.ErrNotFound) {
		return "", apierr.Refused("Target " + d.Ref + " is invalid")
	}
	if err != nil || strings.TrimSpace(d.Message) == "" {
		return id, err
	}
	user, err := s.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return "", err
	}
	return repo.WriteTag(d.Name, id, d.Message, git.Person{Name: user.Name, Email: user.Email, When: clock.Now(ctx).UTC()})
}
