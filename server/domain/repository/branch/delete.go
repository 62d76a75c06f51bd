package branch

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

// Delete deletes a branch for a caller who may push to the project. It fails if the last commit of the branch is newer
// than unmodifiedSince.
func (s *Service) Delete(
	ctx context.Context, row model.ProjectRow, repo git.Repo, name string, unmodifiedSince *time.Time,
) error {
	ref, err := Find(repo, name)
	if err != nil {
		return err
	}
	if ref.Name == row.Project.DefaultBranch {
		return apierr.Refused("The default branch of a project cannot be deleted.")
	}
	if unmodifiedSince != nil {
		tip, err := repo.Commit(ctx, ref.ID)
		if err != nil {
			return err
		}
		if store.ChangedAfter(tip.Author.When, unmodifiedSince) {
			return apierr.PreconditionFailed()
		}
	}
	deletion := git.Command{Ref: prefix + ref.Name, Old: ref.ID, New: git.Zero}
	err = s.pusher.Change(ctx, row, reqctx.Of(ctx).Actor, deletion)
	var refused *push.RefusedError
	if errors.As(err, &refused) {
		if _, gone := Find(repo, name); gone != nil {
			return gone // another caller deleted the branch meanwhile
		}
	}
	return push.Explain(err, apierr.Conflict("The branch was changed in the meantime"))
}
