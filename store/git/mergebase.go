package git

import (
	"context"
	"strings"
)

// MergeBase finds the best common ancestor of two or more commits, named by their ids.
func (r Repo) MergeBase(ctx context.Context, ids ...string) (string, error) {
	return r.mergeBase(ctx, nil, ids...)
}

// noBase is the cached value for commits that have no common ancestor.
const noBase = "none"

func (r Repo) mergeBase(ctx context.Context, env []string, ids ...string) (string, error) {
	for _, id := range ids {
		if !IsID(id) {
			return "", ErrBadName
		}
	}
	key := r.dir + strings.Join(ids, " ")
	base, known := r.all.cache.bases.Get(key)
	if !known {
		args := []string{"merge-base"}
		if len(ids) > 2 {
			args = append(args, "--octopus") // an ancestor of all commits, not only of the first and one other
		}
		out, err := r.outputWith(ctx, env, small, nil, append(args, ids...)...)
		base, _, _ = strings.Cut(string(out), "\n")
		switch {
		case exitCode(err) == 1:
			base = noBase
		case err != nil:
			return "", err
		}
		r.all.cache.bases.Set(key, base)
	}
	if base == noBase {
		return "", ErrNotFound
	}
	return base, nil
}
