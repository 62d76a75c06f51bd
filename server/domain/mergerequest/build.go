package mergerequest

import (
	"context"
	"errors"

	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// builtMerge describes a merge whose commits exist but whose branch has not moved yet.
type builtMerge struct {
	Tip    string `json:"-"` // the new commit of the target branch
	Merge  string `json:"merge,omitempty"`
	Squash string `json:"squash,omitempty"`
	UserID int64  `json:"user_id"`
	Remove bool   `json:"remove,omitempty"`
}

// build makes the commits of a merge, by the project's merge method.
func (m *Merger) build(
	ctx context.Context, project model.Project, tips Tips, user model.User, mr model.MergeRequest, o Options,
) (builtMerge, error) {
	repo, head, target := tips.TargetRepo, mr.HeadSHA, tips.Target
	done := builtMerge{Tip: head, UserID: user.ID, Remove: deletesSource(mr, o)}
	wanted := mr.Squash
	if o.Squash != nil {
		wanted = *o.Squash
	}
	squash := Squashes(project, wanted)
	if err := repo.EnsureCommit(ctx, tips.SourceRepo, head); err != nil {
		return done, err
	}
	if err := m.Pusher.ShareLFSObjects(ctx, tips.From, project, repo, target, head); err != nil {
		return done, err
	}
	tree, err := repo.MergeCommits(ctx, target, head, true)
	if errors.Is(err, git.ErrConflict) || errors.Is(err, git.ErrUnrelated) {
		return done, refuse(CannotMerge, cannotMerge)
	}
	if err != nil {
		return done, err
	}
	words, err := m.readMessageValues(ctx, project, repo, user, mr, target)
	if err != nil {
		return done, err
	}
	committer := git.Person{Name: user.Name, Email: user.CommitAddress(m.BaseURL), When: clock.Now(ctx).UTC()}
	if squash && (len(words.commits) > 1 || o.SquashMessage != "") {
		author, err := m.author(ctx, mr, committer)
		if err != nil {
			return done, err
		}
		head, err = repo.WriteCommit(ctx, git.NewCommit{
			Tree: tree, Parents: []string{target}, Author: author, Committer: committer,
			Message: words.squash(o.SquashMessage),
		})
		if err != nil {
			return done, err
		}
		done.Squash, done.Tip = head, head
	}
	if project.MergeMethod == "ff" {
		return done, nil
	}
	done.Merge, err = repo.WriteCommit(ctx, git.NewCommit{
		Tree: tree, Parents: []string{target, head}, Author: committer, Committer: committer, Message: words.merge(o.Message),
	})
	done.Tip = done.Merge
	return done, err
}

// author returns the author of a squash commit: the author of the merge request.
func (m *Merger) author(ctx context.Context, mr model.MergeRequest, committer git.Person) (git.Person, error) {
	user, err := m.Store.Users.Get(ctx, mr.AuthorID)
	if err != nil {
		return committer, ignoreNotFound(err)
	}
	return git.Person{Name: user.Name, Email: user.CommitAddress(m.BaseURL), When: committer.When}, nil
}

// deletesSource reports whether merging deletes the source branch.
func deletesSource(mr model.MergeRequest, o Options) bool {
	if o.RemoveSource != nil {
		return *o.RemoveSource
	}
	return mr.RemoveSourceBranch != nil && *mr.RemoveSourceBranch
}
