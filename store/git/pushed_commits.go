package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// PushedCommits returns the newest commits that a change of a branch adds, newest first, and how many it adds in all. A
// change adds the commits that were not in the history of the branch. A new branch adds the commits that are not in the
// history of known; without known, its whole history. If the old commit is gone, only the new one counts.
func (r Repo) PushedCommits(ctx context.Context, change Command, known string, most int) ([]Commit, int64, error) {
	tip, err := r.Commit(ctx, change.New)
	if err != nil {
		return nil, 0, err
	}
	base := change.Old
	if base == Zero {
		base = known
	}
	switch {
	case base == tip.ID:
		return nil, 0, nil
	case len(tip.Parents) == 1 && tip.Parents[0] == base:
		return []Commit{tip}, 1, nil
	}
	args := []string{tip.ID}
	if IsID(base) {
		args = append(args, "^"+base)
	}
	out, err := r.output(ctx, small, nil, append([]string{"rev-list", "--max-count=" + strconv.Itoa(most)}, args...)...)
	var failed *CommandError
	if errors.As(err, &failed) {
		return []Commit{tip}, 1, nil
	}
	if err != nil {
		return nil, 0, err
	}
	ids := strings.Fields(string(out))
	commits, err := r.Commits(ctx, ids)
	if err != nil || len(ids) < most {
		return commits, int64(len(ids)), err
	}
	out, err = r.output(ctx, small, nil, append([]string{"rev-list", "--count", "--max-count=" + strconv.Itoa(maxCounted)}, args...)...)
	if err != nil {
		return nil, 0, err
	}
	total, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	return commits, total, err
}

// CommitPaths are the files that a commit changes.
type CommitPaths struct{ Added, Modified, Removed []string }

// CommitPaths returns the files that commits change against their first parents, by the ids of the commits. One git
// process reads all. It reads at most the given number of paths; of later commits it then returns none.
func (r Repo) CommitPaths(ctx context.Context, ids []string, most int) (map[string]CommitPaths, error) {
	for _, id := range ids {
		if !IsID(id) {
			return nil, ErrNotFound
		}
	}
	found := make(map[string]CommitPaths, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	args := []string{
		"diff-tree", "--stdin", "--root", "-r", "-z", "-m", "--diff-merges=first-parent", "--no-renames", "--name-status",
	}
	err := r.stream(ctx, nil, strings.NewReader(strings.Join(ids, "\n")+"\n"), args, func(out io.Reader) error {
		return readCommitPaths(bufio.NewReader(out), most, found)
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return found, err
}

// readCommitPaths reads an id, and then a status and a path for every file. All of them end with NUL.
func readCommitPaths(in *bufio.Reader, most int, found map[string]CommitPaths) error {
	id, paths := "", CommitPaths{}
	keep := func() {
		if id != "" {
			found[id] = paths
		}
	}
	defer keep()
	for {
		word, err := in.ReadString(0)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if word = strings.TrimSuffix(word, "\x00"); IsID(word) {
			keep()
			id, paths = word, CommitPaths{}
			continue
		}
		path, err := readPath(in)
		if err != nil {
			return err
		}
		if most--; most < 0 {
			return errEnough
		}
		switch word {
		case "A":
			paths.Added = append(paths.Added, path)
		case "D":
			paths.Removed = append(paths.Removed, path)
		default:
			paths.Modified = append(paths.Modified, path)
		}
	}
}
