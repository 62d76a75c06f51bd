package git

import (
	"context"
	"strconv"
	"strings"
)

// CommitDiff returns files that a commit changes against its first parent, or against the empty tree: at most the given
// number, after some that it skips. It also returns how many files the commit changes.
func (r Repo) CommitDiff(ctx context.Context, c Commit, skip, most int) ([]FileDiff, int, error) {
	return r.FileDiffs(ctx, c.Before(), c.ID, skip, most)
}

// Sequence counts a commit and its ancestors.
func (r Repo) Sequence(ctx context.Context, id string, firstParent bool) (int64, error) {
	if !IsID(id) {
		return 0, ErrNotFound
	}
	args := []string{"rev-list", "--count"}
	if firstParent {
		args = append(args, "--first-parent")
	}
	out, err := r.output(ctx, small, nil, append(args, id, "--")...)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}
