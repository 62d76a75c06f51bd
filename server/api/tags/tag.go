package tags

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/gen"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
)

// CreateProjectRepositoryTag creates a tag. With a message, it is an annotated tag.
// POST /projects/{id}/repository/tags
func (t *Tags) CreateProjectRepositoryTag(
	ctx context.Context, req gen.CreateProjectRepositoryTagRequestObject,
) (gen.CreateProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	name := req.Body.TagName
	if !git.ValidTag(name) {
		return nil, apierr.Refused("Tag name invalid")
	}
	if _, err := repo.Ref(refPrefix + name); err == nil {
		return nil, apierr.Refused("Tag " + name + " already exists")
	}
	target, err := t.target(ctx, repo, *req.Body)
	if err != nil {
		return nil, err
	}
	if err := t.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: refPrefix + name, Old: git.Zero, New: target}); err != nil {
		return nil, explainRefusal(err, apierr.Refused("Failed to create tag '"+name+"': the name conflicts with another tag"))
	}
	tags, err := repo.ReadTags(ctx, []git.Ref{{Name: refPrefix + name, ID: target}})
	if err != nil {
		return nil, err
	}
	shown, err := t.presentAll(ctx, row, repo, tags)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryTag201JSONResponse(shown[0]), nil
}

// target returns the object that a new tag points to: a commit or, with a message, an annotated tag by the caller.
func (t *Tags) target(ctx context.Context, repo git.Repo, b gen.TagCreate) (string, error) {
	id, err := repo.Resolve(ctx, b.Ref)
	if errors.Is(err, git.ErrNotFound) {
		return "", apierr.Refused("Target " + b.Ref + " is invalid")
	}
	message := b.Message.Ptr()
	if err != nil || message == nil || strings.TrimSpace(*message) == "" {
		return id, err
	}
	user, err := t.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return "", err
	}
	return repo.WriteTag(b.TagName, id, *message, git.Person{Name: user.Name, Email: user.Email, When: time.Now().UTC()})
}

// explainRefusal turns a refused ref update into an API error: 403 if a rule forbids the update, or changed if the ref has
// another value by now.
func explainRefusal(err, changed error) error {
	var why *push.RefusedError
	switch {
	case !errors.As(err, &why):
		return err
	case why.Why == git.NotUpdated:
		return changed
	}
	return apierr.Forbidden(why.Why)
}

// find returns the tag with the given name, or a 404.
func find(ctx context.Context, repo git.Repo, name string) (git.Tag, error) {
	id, err := repo.Ref(refPrefix + name)
	if errors.Is(err, git.ErrNotFound) {
		return git.Tag{}, apierr.NotFound("Tag")
	}
	if err != nil {
		return git.Tag{}, err
	}
	tags, err := repo.ReadTags(ctx, []git.Ref{{Name: refPrefix + name, ID: id}})
	if err != nil {
		return git.Tag{}, err
	}
	return tags[0], nil
}

// GetProjectRepositoryTag shows a tag.
// GET /projects/{id}/repository/tags/{tag_name}
func (t *Tags) GetProjectRepositoryTag(
	ctx context.Context, req gen.GetProjectRepositoryTagRequestObject,
) (gen.GetProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	tag, err := find(ctx, repo, req.TagName)
	if err != nil {
		return nil, err
	}
	shown, err := t.presentAll(ctx, row, repo, []git.Tag{tag})
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryTag200JSONResponse(shown[0]), nil
}

// DeleteProjectRepositoryTag deletes a tag.
// DELETE /projects/{id}/repository/tags/{tag_name}
func (t *Tags) DeleteProjectRepositoryTag(
	ctx context.Context, req gen.DeleteProjectRepositoryTagRequestObject,
) (gen.DeleteProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	tag, err := find(ctx, repo, req.TagName)
	if err != nil {
		return nil, err
	}
	if since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince); since != nil && tag.Commit != "" {
		commit, err := repo.Commit(ctx, tag.Commit)
		if err != nil {
			return nil, err
		}
		if store.ChangedAfter(commit.Author.When, since) {
			return nil, apierr.PreconditionFailed()
		}
	}
	if err := t.pusher.Change(
		ctx, row, reqctx.Of(ctx).Actor, git.Command{Ref: refPrefix + tag.Name, Old: tag.Target, New: git.Zero},
	); err != nil {
		var why *push.RefusedError
		if _, gone := find(ctx, repo, req.TagName); gone != nil && errors.As(err, &why) {
			return nil, gone // another caller has deleted it meanwhile
		}
		return nil, explainRefusal(err, apierr.Conflict("The tag was changed in the meantime"))
	}
	return gen.DeleteProjectRepositoryTag204Response{}, nil
}
