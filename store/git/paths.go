package git

import (
	"bufio"
	"context"
	"errors"
	"io"
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

// FindPaths lists the files of a commit that a function wants, in git's order, at most the given number.
func (r Repo) FindPaths(ctx context.Context, commit string, wanted func(path string) bool, most int) ([]string, error) {
	if !IsID(commit) {
		return nil, ErrBadName
	}
	var found []string
	args := []string{"ls-tree", "-r", "-z", "--name-only", "--full-tree", commit}
	err := r.run(ctx, call{wait: maxGrepTime, args: args}, func(out io.Reader) error {
		in := bufio.NewReaderSize(out, 64<<10)
		for {
			name, err := in.ReadString(0)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if path := readable(strings.TrimSuffix(name, "\x00")); wanted(path) {
				if len(found) == most {
					return errEnough
				}
				found = append(found, path)
			}
		}
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, orTooSlow(ctx, err)
}
