package branch

import (
	"context"
	"slices"

	"svc/server/domain/repository/push"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// DeleteMergedJob is the background job that deletes the merged branches of a project on behalf of a user. It is safe to
// run it twice.
type DeleteMergedJob struct {
	ProjectID int64 `json:"project_id"`
	UserID    int64 `json:"user_id"`
}

// Kind names the job in the queue.
func (DeleteMergedJob) Kind() string { return "delete_merged_branches" }

// DeleteMerged returns the function that runs a DeleteMergedJob. The job uses the permissions that the user has when it
// runs.
func DeleteMerged(st *store.Store, pusher *push.Pusher) func(context.Context, DeleteMergedJob) error {
	return func(ctx context.Context, job DeleteMergedJob) error {
		user, err := st.Users.Get(ctx, job.UserID)
		if store.IsNotFound(err) || (err == nil && user.State != model.UserActive) {
			return nil
		}
		if err != nil {
			return err
		}
		row, err := st.Projects.Get(ctx, job.ProjectID, "", &store.Reader{UserID: user.ID, Admin: user.Admin, External: user.External})
		if store.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if row.Role() < model.Developer || !row.ReadsCode() || row.Project.Archived {
			return nil
		}
		return deleteMerged(ctx, pusher, row, &reqctx.Actor{User: user.Caller()})
	}
}

// deleteMerged deletes all branches that are merged into the default branch, in one change. It keeps protected
// branches, and branches that point to the same commit as the default branch.
func deleteMerged(ctx context.Context, pusher *push.Pusher, row model.ProjectRow, actor *reqctx.Actor) error {
	repo, err := pusher.Repo(row.Project)
	if err != nil {
		return err
	}
	head, tip := repo.Head()
	if tip == "" {
		return nil
	}
	rules, err := pusher.Protection(ctx, row)
	if err != nil {
		return err
	}
	refs, err := List(repo, func(name string) bool { return name != head && !rules.Branch(name).Protected })
	if err != nil {
		return err
	}
	merged, err := repo.Merged(ctx, tip, refs)
	if err != nil {
		return err
	}
	refs = slices.DeleteFunc(refs, func(ref git.Ref) bool { return !merged[ref.Name] || ref.ID == tip })
	if len(refs) == 0 {
		return nil
	}
	for i := range refs {
		refs[i].Name = prefix + refs[i].Name
	}
	return pusher.DeleteEach(ctx, row, actor, refs)
}
