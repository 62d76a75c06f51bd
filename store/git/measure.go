package git

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// Size returns how many bytes the repository takes on disk. Files that it shares with other repositories count.
func (r Repo) Size(ctx context.Context) (int64, error) {
	var total int64
	err := filepath.WalkDir(r.dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a push or a repack has just moved it
			}
			return err
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return ctx.Err()
	})
	return total, err
}

// CountCommits counts a commit and its ancestors.
func (r Repo) CountCommits(ctx context.Context, commit string) (int64, error) {
	if !IsID(commit) {
		return 0, ErrBadName
	}
	out, err := r.output(ctx, small, nil, "rev-list", "--count", commit)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
}

// readmes are the names of README files, the preferred one first.
var readmes = []string{"readme.md", "readme.markdown", "readme.rst", "readme.adoc", "readme.org", "readme.txt", "readme"}

// Readme returns the name of the README file in the root of a commit, or an empty string.
func (r Repo) Readme(ctx context.Context, commit string) (string, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return "", err
	}
	entries, err := r.Tree(ctx, c.Tree)
	if err != nil {
		return "", err
	}
	best, rank := "", len(readmes)
	for _, e := range entries {
		for i, name := range readmes[:rank] {
			if e.Kind() == KindBlob && strings.EqualFold(e.Name, name) {
				best, rank = e.Name, i
				break
			}
		}
	}
	return best, nil
}
