package git

import (
	"context"
	"strconv"
	"strings"
)

// CommitDiff returns the changes of a commit against its first parent, or against the empty tree. It also reports
// whether something was left out because the diff is too large.
func (r Repo) CommitDiff(ctx context.Context, c Commit) ([]FileDiff, bool, error) {
	before := EmptyTree
	if len(c.Parents) > 0 {
		before = c.Parents[0]
	}
	return r.diff(ctx, nil, before, c.ID)
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
