package git

import (
	"context"
	"strconv"
	"strings"
)

// CommitDiff reads what a commit changes against its first parent, or against nothing; it tells, too, whether something was
// left out because it is too much.
func (r Repo) CommitDiff(ctx context.Context, c Commit) ([]FileDiff, bool, error) {
	before := EmptyTree
	if len(c.Parents) > 0 {
		before = c.Parents[0]
	}
	return r.diff(ctx, nil, before, c.ID)
}

// Sequence counts a commit and those behind it.
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
