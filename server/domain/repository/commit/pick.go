package commit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// Pick is a commit to cherry-pick or revert on a branch.
type Pick struct {
	Branch  string
	Commit  git.Commit
	Undo    bool
	Message string // empty for the default message
	DryRun  bool   // only checks whether it is possible
}

// Apply cherry-picks or reverts a commit on a branch and returns the new commit's id, which is empty for a dry run. For
// a merge commit, it uses the change against the first parent.
func (w *Writer) Apply(ctx context.Context, row model.ProjectRow, p Pick) (string, error) {
	repo, err := w.ready(ctx, row, p.Branch)
	if err != nil {
		return "", err
	}
	_, committer, err := w.people(ctx, "", "")
	if err != nil {
		return "", err
	}
	author := p.Commit.Author
	if p.Undo {
		author = committer
	}
	apply := func(repo git.Repo, tip string) (string, error) {
		if tip == "" {
			return "", apierr.NotFound("Branch")
		}
		tree, err := merged(ctx, repo, tip, p)
		if err != nil || p.DryRun {
			return "", err
		}
		return repo.WriteCommit(
			ctx,
			git.NewCommit{Tree: tree, Parents: []string{tip}, Author: author, Committer: committer, Message: p.message()},
		)
	}
	if p.DryRun {
		tip, _ := tipOf(repo, "refs/heads/"+p.Branch)
		return apply(repo, tip)
	}
	return w.advance(ctx, row, p.Branch, apply)
}

// merged returns the tree of the branch with the change applied or reverted.
func merged(ctx context.Context, repo git.Repo, tip string, p Pick) (string, error) {
	before := "" // no files
	if len(p.Commit.Parents) > 0 {
		parent, err := repo.Commit(ctx, p.Commit.Parents[0])
		if err != nil {
			return "", err
		}
		before = parent.Tree
	}
	now, err := repo.Commit(ctx, tip)
	if err != nil {
		return "", err
	}
	base, theirs := before, p.Commit.Tree
	if p.Undo {
		base, theirs = p.Commit.Tree, before
	}
	tree, err := repo.MergeTrees(ctx, base, now.Tree, theirs)
	switch {
	case errors.Is(err, git.ErrConflict):
		return "", apierr.RefusedAs("conflict", p.failure("it conflicts with the branch"))
	case err == nil && tree == now.Tree:
		return "", apierr.RefusedAs("empty", p.failure("it would not change the branch"))
	}
	return tree, err
}

func (p Pick) failure(why string) string {
	verb := "cherry-picked"
	if p.Undo {
		verb = "reverted"
	}
	return fmt.Sprintf("The commit cannot be %s: %s.", verb, why)
}

// message returns the message that git's own commands write.
func (p Pick) message() string {
	switch {
	case p.Message != "":
		return p.Message
	case p.Undo:
		return "Revert \"" + p.Commit.Title() + "\"\n\nThis reverts commit " + p.Commit.ID
	}
	return strings.TrimRight(p.Commit.Message, "\n") + "\n\n(cherry picked from commit " + p.Commit.ID + ")"
}
