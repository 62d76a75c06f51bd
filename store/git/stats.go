package git

import (
	"bufio"
	"context"
	"slices"
	"strconv"
	"strings"
)

// Stats is how many lines a commit adds and removes.
type Stats struct{ Additions, Deletions int64 }

const (
	maxCounters = 16
	// statsTogether is how many commits a process is asked about at once: all questions fit into the pipe.
	statsTogether = 500
	// lastStats is a line that is no commit. Git repeats it, after all answers before it.
	lastStats = "end"
)

// newLinesPool returns the pool of processes that count the changed lines of commits against their first parents.
func newLinesPool() *pool {
	return newPool(
		maxCounters, "diff-tree", "--stdin", "--root", "-r", "-m", "--diff-merges=first-parent", "-M", "--numstat", "--no-textconv",
		"--no-ext-diff",
	)
}

// CommitStats counts the changed lines of commits, named by their ids, against their first parents. A git process that stays
// counts them.
func (r Repo) CommitStats(ctx context.Context, ids []string) (map[string]Stats, error) {
	out := make(map[string]Stats, len(ids))
	var unknown []string
	for _, id := range ids {
		if !IsID(id) {
			return nil, ErrNotFound
		}
		if s, ok := r.all.cache.stats.Get(r.dir + id); ok {
			out[id] = s
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return out, nil
	}
	if err := r.Flush(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for some := range slices.Chunk(unknown, statsTogether) {
		err := r.lend(ctx, r.all.lines, func(b *batch) error {
			return b.countLines(some, func(id string, s Stats) {
				out[id] = s
				r.all.cache.stats.Set(r.dir+id, s)
			})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// countLines asks about commits and reads the answers.
func (b *batch) countLines(ids []string, counted func(id string, s Stats)) error {
	b.asked += len(ids)
	b.in.WriteString(strings.Join(ids, "\n") + "\n" + lastStats + "\n") //nolint:errcheck // Flush tells
	if err := b.in.Flush(); err != nil {
		return err
	}
	return readStats(b.out, counted)
}

// readStats reads the id of each commit on a line and then «added TAB removed TAB path» for every file, up to lastStats. A
// binary file has dashes.
func readStats(from *bufio.Reader, counted func(id string, s Stats)) error {
	id, sum := "", Stats{}
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		line = strings.TrimSuffix(line, "\n")
		if IsID(line) || line == lastStats {
			if id != "" {
				counted(id, sum)
			}
			if line == lastStats {
				return nil
			}
			id, sum = line, Stats{}
		}
		if parts := strings.SplitN(line, "\t", 3); len(parts) == 3 {
			added, _ := strconv.ParseInt(parts[0], 10, 64)
			removed, _ := strconv.ParseInt(parts[1], 10, 64)
			sum.Additions, sum.Deletions = sum.Additions+added, sum.Deletions+removed
		}
	}
}
