package git

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"
)

// Stats is how many lines a commit adds and removes.
type Stats struct{ Additions, Deletions int64 }

// CommitStats counts the changed lines of commits, named by their ids, against their first parents. One git process
// counts all of them.
func (r Repo) CommitStats(ctx context.Context, ids []string) (map[string]Stats, error) {
	out := make(map[string]Stats, len(ids))
	var missing strings.Builder
	for _, id := range ids {
		if !IsID(id) {
			return nil, ErrNotFound
		}
		if s, ok := r.all.cache.stats.Get(r.dir + id); ok {
			out[id] = s
		} else {
			missing.WriteString(id + "\n")
		}
	}
	if missing.Len() == 0 {
		return out, nil
	}
	args := []string{
		"diff-tree", "--stdin", "--root", "-r", "-m", "--diff-merges=first-parent", "-M", "--numstat", "--no-textconv",
		"--no-ext-diff",
	}
	err := r.stream(ctx, nil, strings.NewReader(missing.String()), args, func(from io.Reader) error {
		return readStats(from, func(id string, s Stats) {
			out[id] = s
			r.all.cache.stats.Set(r.dir+id, s)
		})
	})
	return out, err
}

// readStats reads an id on a line and then «added TAB removed TAB path» for every file; a binary file has dashes.
func readStats(from io.Reader, done func(string, Stats)) error {
	lines := bufio.NewReader(from)
	id, sum := "", Stats{}
	for {
		line, err := lines.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		if IsID(line) || err != nil {
			if id != "" {
				done(id, sum)
			}
			id, sum = line, Stats{}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if parts := strings.SplitN(line, "\t", 3); len(parts) == 3 {
			added, _ := strconv.ParseInt(parts[0], 10, 64)
			removed, _ := strconv.ParseInt(parts[1], 10, 64)
			sum.Additions, sum.Deletions = sum.Additions+added, sum.Deletions+removed
		}
	}
}
