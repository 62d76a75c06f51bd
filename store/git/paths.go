package git

import (
	"context"
	"errors"
	"strings"
)

// Paths lists all files of a commit in git's order. Names that are not UTF-8 are read as Latin 1.
func (r Repo) Paths(ctx context.Context, commit string) ([]string, error) {
	if !IsID(commit) {
		return nil, ErrBadName
	}
	out, err := r.output(ctx, large, nil, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	return zeroSeparated(out), err
}

// ChangedPaths lists the files that differ between two commits, also deleted ones. It returns ErrNotFound if one of the
// commits does not exist any more.
func (r Repo) ChangedPaths(ctx context.Context, from, to string) ([]string, error) {
	if !IsID(from) || !IsID(to) {
		return nil, ErrBadName
	}
	out, err := r.output(ctx, large, nil, "diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to)
	var failed *CommandError
	if errors.As(err, &failed) {
		return nil, ErrNotFound
	}
	return zeroSeparated(out), err
}

func zeroSeparated(out []byte) []string {
	text := strings.TrimSuffix(string(out), "\x00")
	if text == "" {
		return nil
	}
	names := strings.Split(text, "\x00")
	for i, name := range names {
		names[i] = readable(name)
	}
	return names
}
