package mergerequest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"svc/server/domain/ci/launch"
	"svc/server/domain/issuable"
	"svc/server/domain/repository/push"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// ended marks a merge request as merged, in the transaction that ends the push of its merge.
func (m *Merger) ended(ctx context.Context, p push.Result, a model.MergeAttempt) error {
	var done builtMerge
	if err := json.Unmarshal([]byte(a.Data), &done); err != nil {
		return fmt.Errorf("read the merge options of merge request %d: %w", a.MergeRequestID, err)
	}
	mr, err := m.Store.MergeRequests.Lock(ctx, a.MergeRequestID)
	if err != nil {
		return ignoreNotFound(err)
	}
	return m.conclude(ctx, p.Project, mr, done)
}

// conclude marks a merge request as merged and writes what follows, in the caller's transaction.
func (m *Merger) conclude(ctx context.Context, project model.Project, mr model.MergeRequest, done builtMerge) error {
	watch, err := m.Issuables.Hooks.WatchMergeRequest(ctx, project, mr.ID)
	if err != nil {
		return err
	}
	set := map[string]any{
		"state": model.Merged, "merge_user_id": done.UserID, "merged_at": now(ctx), "merge_error": nil,
		"auto_merge": false, "auto_merge_options": nil, "rebasing": false,
	}
	var shas []string
	for column, sha := range map[string]string{"merge_commit_sha": done.Merge, "squash_commit_sha": done.Squash} {
		if sha != "" {
			set[column] = sha
			shas = append(shas, sha)
		}
	}
	first, err := m.Store.MergeRequests.UpdateInState(ctx, mr.ID, model.Opened, set)
	if err != nil || !first {
		return err
	}
	err = errors.Join(
		m.Store.MergeRequests.DeleteAttempts(ctx, mr.ID),
		m.Store.MergeRequests.AddCommits(ctx, mr, shas...),
	)
	if err != nil {
		return err
	}
	merged := events.On(done.UserID, model.EventMerged, model.OnMergeRequest, mr.ID)
	if err := m.Events.Activity(ctx, project, merged); err != nil {
		return err
	}
	if err := m.addSystemNote(ctx, mr, done.UserID, "merged", "merged"); err != nil {
		return err
	}
	if err := m.Issuables.RecordState(ctx, issuable.MergeRequestTarget(project, mr), done.UserID, model.EventMerged); err != nil {
		return err
	}
	if err := m.Store.Todos.DoneForTarget(ctx, model.OnMergeRequest, mr.ID, 0); err != nil {
		return err
	}
	news := events.Notification{
		Event: events.MergeMergeRequest, ProjectID: mr.ProjectID, AuthorID: done.UserID,
		TargetType: model.OnMergeRequest, TargetID: mr.ID,
	}
	if err := m.Events.Notify(ctx, news); err != nil {
		return err
	}
	if err := watch.Announce(ctx, announce.MergeRequestChange{UserID: done.UserID, Action: announce.MergeRequestMerged}); err != nil {
		return err
	}
	return m.Enqueue(ctx, MergedJob{ID: mr.ID, UserID: done.UserID, Remove: done.Remove})
}

// MergedJob is the job for a merge request that was merged.
type MergedJob struct {
	ID     int64 `json:"id"`
	UserID int64 `json:"user_id"`
	Remove bool  `json:"remove"` // whether to delete its source branch
}

// Kind returns the name of the job in the queue.
func (MergedJob) Kind() string { return "merge_request_merged" }

// AfterMerge closes the issues that a merge request closes, if it was merged into the default branch, and deletes its
// source branch.
func (m *Merger) AfterMerge(ctx context.Context, job MergedJob) error {
	mr, err := m.Store.MergeRequests.Find(ctx, job.ID)
	if err != nil {
		return ignoreNotFound(err)
	}
	user, row, ok, err := m.readAs(ctx, job.UserID, mr.ProjectID)
	if err != nil || !ok {
		return err
	}
	if mr.TargetBranch == row.Project.DefaultBranch {
		by := fmt.Sprintf("merge request %s!%d", row.Project.FullPath, mr.IID)
		if err := m.Issuables.CloseMerged(ctx, row.Project, mr.ID, by, launch.Reader(user)); err != nil {
			return err
		}
	}
	if !job.Remove || mr.SourceProjectID == nil {
		return nil
	}
	return m.remove(ctx, user, mr)
}

// remove deletes a source branch that has not moved since the merge, if the user may delete it.
func (m *Merger) remove(ctx context.Context, user model.User, mr model.MergeRequest) error {
	_, source, ok, err := m.readAs(ctx, user.ID, *mr.SourceProjectID)
	if err != nil || !ok || source.Role() < model.Developer || source.Project.Archived {
		return err
	}
	repo, err := m.Pusher.Repo(source.Project)
	if err != nil {
		return err
	}
	if now, err := repo.Ref("refs/heads/" + mr.SourceBranch); err != nil || now != mr.HeadSHA {
		return nil //nolint:nilerr // it is gone, or somebody goes on with it
	}
	rules, err := m.Pusher.Protection(ctx, source)
	if err != nil || rules.Branch(mr.SourceBranch).Protected {
		return err
	}
	deletion := git.Command{Ref: "refs/heads/" + mr.SourceBranch, Old: mr.HeadSHA, New: git.Zero}
	err = m.Pusher.Change(ctx, source, actorFor(user), deletion)
	var refused *push.RefusedError
	if errors.As(err, &refused) {
		return nil
	}
	return err
}

// concludePushed marks a merge request as merged after a user has pushed its head to the target branch.
func (m *Merger) concludePushed(
	ctx context.Context, project model.Project, mr model.MergeRequest, job TargetJob,
) error {
	return m.Store.Tx(ctx, func(ctx context.Context) error {
		now, err := m.Store.MergeRequests.Lock(ctx, mr.ID)
		if err != nil || now.HeadSHA != mr.HeadSHA {
			return ignoreNotFound(err)
		}
		done := builtMerge{UserID: job.UserID}
		if job.New != mr.HeadSHA {
			done.Merge = job.New
		}
		if _, err := m.Store.Users.Get(ctx, job.UserID); store.IsNotFound(err) {
			done.UserID = mr.AuthorID
		}
		return m.conclude(ctx, project, now, done)
	})
}
