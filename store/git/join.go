package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// ErrUnrelated is returned for two histories that have no commit in common.
var ErrUnrelated = errors.New("the histories are unrelated")

// MergeCommits merges two commits as git merge does, criss-cross histories included, and returns the merged tree. Without keep
// it only finds out whether the merge is possible and stores nothing. It returns ErrConflict if a person has to decide,
// and ErrUnrelated if the commits have no history in common.
func (r Repo) MergeCommits(ctx context.Context, ours, theirs string, keep bool) (string, error) {
	if !IsID(ours) || !IsID(theirs) {
		return "", ErrBadName
	}
	if _, err := r.MergeBase(ctx, ours, theirs); err != nil {
		if errors.Is(err, ErrNotFound) {
			err = ErrUnrelated
		}
		return "", err
	}
	dir, err := os.MkdirTemp(filepath.Join(r.dir, "objects"), "incoming-")
	if err != nil {
		return "", err
	}
	q := &Quarantine{repo: r, dir: dir}
	defer q.Discard()
	out, err := q.run(ctx, nil, "merge-tree", "--write-tree", "--no-messages", ours, theirs)
	if exitCode(err) == 1 {
		return "", ErrConflict
	}
	if err != nil {
		return "", err
	}
	tree := strings.TrimSpace(string(out))
	if !IsID(tree) {
		return "", fmt.Errorf("unexpected output of git merge-tree: %q", tree)
	}
	if !keep {
		return tree, nil
	}
	return tree, q.acceptLoose()
}

// ConflictingFiles returns the paths of the files that a merge of two commits cannot combine, at most the given number.
func (r Repo) ConflictingFiles(ctx context.Context, ours, theirs string, most int) ([]string, error) {
	if !IsID(ours) || !IsID(theirs) {
		return nil, ErrBadName
	}
	dir, err := os.MkdirTemp(filepath.Join(r.dir, "objects"), "incoming-")
	if err != nil {
		return nil, err
	}
	q := &Quarantine{repo: r, dir: dir}
	defer q.Discard()
	out, err := q.run(ctx, nil, "merge-tree", "--write-tree", "--no-messages", "--name-only", "-z", ours, theirs)
	if err != nil && exitCode(err) != 1 {
		return nil, err
	}
	paths := strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")[1:] // the first entry is the tree
	for i := range paths {
		paths[i] = readable(paths[i])
	}
	return paths[:min(len(paths), most)], nil
}

// MostRebased is the largest number of commits that Rebase accepts.
const MostRebased = 1000

// Rebase repeats the commits in the history of head and not of base on top of base, as git rebase does: it leaves out
// merges, and commits that the base has already. Authors and messages stay; the person who rebases is the committer. It
// returns the new head, which is the base itself if nothing is left. No ref points to the new head yet.
func (r Repo) Rebase(ctx context.Context, base, head string, committer Person) (string, error) {
	if !IsID(base) || !IsID(head) {
		return "", ErrBadName
	}
	if _, err := r.MergeBase(ctx, base, head); err != nil {
		if errors.Is(err, ErrNotFound) {
			err = ErrUnrelated
		}
		return "", err
	}
	out, err := r.output(ctx, large, nil, "rev-list", "--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only",
		"--max-count="+strconv.Itoa(MostRebased+1), base+"..."+head)
	if err != nil {
		return "", err
	}
	ids := strings.Fields(string(out))
	if len(ids) > MostRebased {
		return "", ErrTooLarge
	}
	commits, err := r.Commits(ctx, ids)
	if err != nil {
		return "", err
	}
	tip, err := r.Commit(ctx, base)
	if err != nil {
		return "", err
	}
	for _, c := range commits {
		if tip, err = r.replay(ctx, tip, c, committer); err != nil {
			return "", err
		}
	}
	return tip.ID, nil
}

// replay repeats one commit on top of another. A commit that is there already stays as it is; a commit that changes
// nothing any more is left out.
func (r Repo) replay(ctx context.Context, tip, c Commit, committer Person) (Commit, error) {
	if len(c.Parents) == 1 && c.Parents[0] == tip.ID {
		return c, nil
	}
	before := "" // the empty tree
	if len(c.Parents) > 0 {
		parent, err := r.Commit(ctx, c.Parents[0])
		if err != nil {
			return tip, err
		}
		before = parent.Tree
	}
	tree, err := tip.Tree, error(nil)
	if c.Tree != before {
		if tree, err = r.MergeTrees(ctx, before, tip.Tree, c.Tree); err != nil {
			return tip, err
		}
		if tree == tip.Tree {
			return tip, nil
		}
	}
	id, err := r.WriteCommit(
		ctx,
		NewCommit{Tree: tree, Parents: []string{tip.ID}, Author: c.Author, Committer: committer, Message: c.Message},
	)
	if err != nil {
		return tip, err
	}
	return r.Commit(ctx, id)
}

// CountBetween counts the commits in the history of "to" and not of "from", up to maxCompared.
func (r Repo) CountBetween(ctx context.Context, from, to string) (int64, error) {
	if !IsID(from) || !IsID(to) {
		return 0, ErrBadName
	}
	out, err := r.output(ctx, small, nil, "rev-list", "--count", "--max-count="+strconv.Itoa(maxCompared), to, "^"+from)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

// Between returns the ids of the commits in the history of "to" and not of "from", newest first, about maxCompared at
// most.
func (r Repo) Between(ctx context.Context, from, to string) ([]string, error) {
	s, err := r.between(ctx, nil, from, to)
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(s.ids))
	for i := len(s.ids) - 1; i >= 0; i-- {
		ids = append(ids, s.ids[i])
	}
	return ids, nil
}

// Diff returns how the files of two commits differ, and whether something was left out.
func (r Repo) Diff(ctx context.Context, from, to string) ([]FileDiff, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, maxCompare)
	defer cancel()
	return r.diff(ctx, nil, from, to)
}
