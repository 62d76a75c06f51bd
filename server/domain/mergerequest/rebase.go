package mergerequest

import (
	"context"
	"errors"
	"fmt"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Rebase is the job that rebases the source branch of a merge request.
type Rebase struct {
	ID     int64 `json:"id"`
	UserID int64 `json:"user_id"`
	SkipCI bool  `json:"skip_ci,omitempty"`
}

// Kind returns the name of the job in the queue.
func (Rebase) Kind() string { return "merge_request_rebase" }

// MayRebase reports whether a user may rebase a merge request: users who may push to its source branch.
func (m *Merger) MayRebase(ctx context.Context, userID int64, mr model.MergeRequest) (bool, error) {
	if mr.SourceProjectID == nil {
		return false, nil
	}
	_, source, ok, err := m.readAs(ctx, userID, *mr.SourceProjectID)
	if err != nil || !ok || source.Project.Archived || !source.ReadsCode() {
		return false, err
	}
	return m.Pusher.MayPush(ctx, source, mr.SourceBranch)
}

// CheckMayRebase refuses users who may not push to the source branch of a merge request.
func (s *Service) CheckMayRebase(ctx context.Context, mr model.MergeRequest, userID int64) error {
	may, err := s.merger.MayRebase(ctx, userID, mr)
	if err == nil && !may {
		err = apierr.Forbidden("Cannot push to source branch")
	}
	return err
}

// Rebase schedules the rebase of an open merge request for a user.
func (s *Service) Rebase(ctx context.Context, mr model.MergeRequest, userID int64, skipCI bool) error {
	if mr.State != model.Opened {
		return apierr.Forbidden("The merge request is not open")
	}
	return s.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := s.store.MergeRequests.Lock(ctx, mr.ID)
		if err != nil {
			return err
		}
		if locked.Rebasing {
			return apierr.Conflict("A rebase is already in progress")
		}
		set := map[string]any{"rebasing": true, "merge_error": nil}
		if err := s.store.MergeRequests.UpdateInternal(ctx, mr.ID, set); err != nil {
			return err
		}
		return s.merger.Enqueue(ctx, Rebase{ID: mr.ID, UserID: userID, SkipCI: skipCI})
	})
}

// Rebase rebases a source branch onto its target. If it runs again, it finds nothing to do.
func (m *Merger) Rebase(ctx context.Context, job Rebase) error {
	mr, err := m.Store.MergeRequests.Find(ctx, job.ID)
	if err != nil || !mr.Rebasing {
		return ignoreNotFound(err)
	}
	failure, err := m.rebase(ctx, mr, job)
	if err != nil {
		return err
	}
	set := map[string]any{"rebasing": false, "merge_error": nil}
	if failure != "" {
		set["merge_error"] = failure
	}
	_, err = m.Store.MergeRequests.Update(ctx, mr.ID, set)
	return err
}

const (
	rebaseFailed  = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."
	rebaseRefused = "Rebase failed: %s"
)

// rebase rebases the branch. It returns a text if the rebase failed for a reason that the user should read.
func (m *Merger) rebase(ctx context.Context, mr model.MergeRequest, job Rebase) (failure string, err error) {
	may, err := m.MayRebase(ctx, job.UserID, mr)
	if err != nil || !may || mr.State != model.Opened {
		return fmt.Sprintf(rebaseRefused, "it is no longer allowed."), err
	}
	user, source, ok, err := m.readAs(ctx, job.UserID, *mr.SourceProjectID)
	if err != nil || !ok {
		return "", err
	}
	target, err := m.Store.Projects.Get(ctx, mr.ProjectID, "", serviceReader)
	if err != nil {
		return "", err
	}
	tips, err := m.Tips(ctx, target.Project, mr)
	if err != nil {
		return "", err
	}
	if tips.Source == "" || tips.Target == "" {
		return fmt.Sprintf(rebaseRefused, "a branch was deleted."), nil
	}
	if err := tips.SourceRepo.EnsureCommit(ctx, tips.TargetRepo, tips.Target); err != nil {
		return "", err
	}
	head, err := tips.SourceRepo.Rebase(
		ctx, tips.Target, tips.Source, git.Person{Name: user.Name, Email: user.CommitAddress(m.BaseURL), When: clock.Now(ctx).UTC()},
	)
	switch {
	case errors.Is(err, git.ErrConflict):
		return rebaseFailed, nil
	case errors.Is(err, git.ErrUnrelated):
		return fmt.Sprintf(rebaseRefused, "the branches have no common history."), nil
	case errors.Is(err, git.ErrTooLarge):
		return fmt.Sprintf(rebaseRefused, fmt.Sprintf("there are more than %d commits.", git.MostRebased)), nil
	case err != nil || head == tips.Source:
		return "", err
	}
	var options []string
	if job.SkipCI {
		options = []string{"ci.skip"}
	}
	err = m.Pusher.Change(
		ctx, source, actorFor(user), git.Command{Ref: "refs/heads/" + mr.SourceBranch, Old: tips.Source, New: head},
		options...,
	)
	var refused *push.RefusedError
	if errors.As(err, &refused) {
		return fmt.Sprintf(rebaseRefused, refused.Why), nil
	}
	return "", err
}
