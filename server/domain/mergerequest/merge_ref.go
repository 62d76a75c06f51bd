package mergerequest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// The reasons why there is no commit of a merge.
const (
	notMergeable   = "Merge request is not mergeable"
	notRefUpdating = "Merge ref cannot be updated"
)

// MergeRef merges the current heads of the branches of a merge request into a ref of its own, and returns the commit. Its
// parents are the heads of the target and of the source branch. If the ref has such a commit already, it stays.
func (m *Merger) MergeRef(ctx context.Context, project model.Project, mr model.MergeRequest) (string, error) {
	checked, err := m.Check(ctx, project, mr)
	if err != nil {
		return "", err
	}
	if checked.State != model.Opened || checked.MergeStatus != model.MergePossible {
		return "", apierr.Refused(notMergeable)
	}
	if project.RepositoryReadOnly {
		return "", apierr.Refused(notRefUpdating)
	}
	repo, err := m.Repo(project)
	if err != nil {
		return "", err
	}
	parents := []string{checked.TargetSHA, checked.HeadSHA}
	if id, ok, err := mergeResult(ctx, repo, mr.IID, parents); err != nil || ok {
		return id, err
	}
	return m.writeMergeRef(ctx, repo, mr, parents)
}

// mergeResult returns the commit of the ref for the merge of a merge request, and whether it has these parents.
func mergeResult(ctx context.Context, repo git.Repo, iid int64, parents []string) (string, bool, error) {
	id, err := repo.MergeResult(iid)
	if errors.Is(err, git.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	found, err := repo.Commit(ctx, id)
	if errors.Is(err, git.ErrNotFound) {
		return "", false, nil
	}
	return id, err == nil && slices.Equal(found.Parents, parents), err
}

// writeMergeRef merges two commits and sets the ref for the merge of a merge request to the result.
func (m *Merger) writeMergeRef(
	ctx context.Context, repo git.Repo, mr model.MergeRequest, parents []string,
) (string, error) {
	tree, err := repo.MergeCommits(ctx, parents[0], parents[1], true)
	if errors.Is(err, git.ErrConflict) || errors.Is(err, git.ErrUnrelated) || errors.Is(err, git.ErrNotFound) {
		return "", apierr.Refused(notMergeable)
	}
	if err != nil {
		return "", err
	}
	author, err := m.Store.Users.Get(ctx, mr.AuthorID)
	if err != nil {
		return "", err
	}
	person := git.Person{Name: author.Name, Email: author.CommitAddress(m.BaseURL), When: clock.Now(ctx).UTC()}
	id, err := repo.WriteCommit(ctx, git.NewCommit{
		Tree: tree, Parents: parents, Author: person, Committer: person,
		Message: fmt.Sprintf("Merge branch '%s' into '%s'\n", mr.SourceBranch, mr.TargetBranch),
	})
	if err != nil {
		return "", err
	}
	return id, repo.SetMergeResult(ctx, mr.IID, id)
}
