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

// ChangedLines is how many lines a commit has added and deleted against its first parent.
type ChangedLines struct{ Added, Deleted int64 }

// CountLines counts the lines that a commit has changed. Files that are not text count as nothing.
func (r Repo) CountLines(ctx context.Context, c Commit) (ChangedLines, error) {
	args := []string{"diff-tree", "--numstat", "-r", "-M"}
	if len(c.Parents) == 0 {
		args = append(args, "--root", "--no-commit-id", c.ID)
	} else {
		args = append(args, c.Parents[0], c.ID)
	}
	out, err := r.output(ctx, large, nil, args...)
	if err != nil {
		return ChangedLines{}, err
	}
	var n ChangedLines
	for line := range strings.SplitSeq(string(out), "\n") {
		added, rest, _ := strings.Cut(line, "\t")
		deleted, _, _ := strings.Cut(rest, "\t")
		a, err1 := strconv.ParseInt(added, 10, 64)
		d, err2 := strconv.ParseInt(deleted, 10, 64)
		if err1 == nil && err2 == nil {
			n.Added, n.Deleted = n.Added+a, n.Deleted+d
		}
	}
	return n, nil
}
