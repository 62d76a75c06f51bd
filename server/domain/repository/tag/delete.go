package tag

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// DeleteRelease is the push option of a deletion that also deletes the release of the tag.
const DeleteRelease = "release.delete"

// Delete deletes a tag, with its release, for a caller who may push to the project. It fails if the commit of the tag is
// newer than unmodifiedSince.
func (s *Service) Delete(
	ctx context.Context, row model.ProjectRow, repo git.Repo, name string, unmodifiedSince *time.Time,
) error {
	found, err := Find(ctx, repo, name)
	if err != nil {
		return err
	}
	if unmodifiedSince != nil && found.Commit != "" {
		commit, err := repo.Commit(ctx, found.Commit)
		if err != nil {
			return err
		}
		if store.ChangedAfter(commit.Author.When, unmodifiedSince) {
			return apierr.PreconditionFailed()
		}
	}
	deletion := git.Command{Ref: Prefix + found.Name, Old: found.Target, New: git.Zero}
	err = s.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, deletion, DeleteRelease)
	var refused *push.RefusedError
	if errors.As(err, &refused) {
		if _, gone := Find(ctx, repo, name); gone != nil {
			return gone // another caller has deleted it meanwhile
		}
	}
	return push.Explain(err, apierr.Conflict("The tag was changed in the meantime"))
}
