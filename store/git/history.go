package git

import (
	"context"
	"slices"
)

// IsAncestor reports whether a commit is an ancestor of another, or the same commit.
func (r Repo) IsAncestor(ctx context.Context, old, younger string) (bool, error) {
	if !IsID(old) || !IsID(younger) {
		return false, ErrBadName
	}
	if c, err := r.Commit(ctx, younger); err == nil && slices.Contains(c.Parents, old) {
		return true, nil // true of most pushes, and no git is started
	}
	if a, numbers, err := r.ancestry(ctx, r.graph(), []string{younger, old}); err == nil {
		if found := a.behind(numbers[0], numbers[1:]); !a.broken {
			return found[0], nil
		}
	}
	_, err := r.output(ctx, small, nil, "merge-base", "--is-ancestor", old, younger)
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
