package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

// Author is who has written commits, and how many.
type Author struct {
	Name, Email string
	Commits     int64
}

// Authors counts the commits behind a commit by author. It goes on from the last count where that is behind it.
func (r Repo) Authors(ctx context.Context, id string) ([]Author, error) {
	if !IsID(id) {
		return nil, ErrBadName
	}
	cache := r.all.cache
	if authors, ok := cache.authors.Get(r.dir + id); ok {
		return authors, nil
	}
	var before []Author
	revs := []string{id}
	if old, ok := cache.counted.Get(r.dir); ok {
		if counted, ok := cache.authors.Get(r.dir + old); ok {
			if forward, err := r.IsAncestor(ctx, old, id); err == nil && forward {
				before, revs = counted, append(revs, "^"+old)
			}
		}
	}
	// In a bare repository shortlog would apply the tip's .mailmap, and a count could not be gone on from.
	out, err := r.output(ctx, large, nil, append([]string{"-c", "mailmap.blob=", "shortlog", "-s", "-e"}, revs...)...)
	if err != nil {
		return nil, err
	}
	authors := add(before, parseShortlog(string(out)))
	cache.authors.Set(r.dir+id, authors)
	cache.counted.Set(r.dir, id)
	return authors, nil
}

// parseShortlog reads lines like «    12	Name <email>».
func parseShortlog(text string) []Author {
	var authors []Author
	for line := range strings.Lines(text) {
		count, who, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.ParseInt(strings.TrimSpace(count), 10, 64)
		at := strings.LastIndex(who, "<")
		if err != nil || at < 0 {
			continue
		}
		authors = append(authors, Author{Name: readable(strings.TrimSpace(who[:at])), Email: readable(strings.TrimSuffix(who[at+1:], ">")), Commits: n})
	}
	return authors
}

func add(before, more []Author) []Author {
	at := make(map[[2]string]int, len(before)+len(more))
	sum := make([]Author, 0, len(before)+len(more))
	for _, list := range [][]Author{before, more} {
		for _, a := range list {
			key := [2]string{a.Name, a.Email}
			if i, ok := at[key]; ok {
				sum[i].Commits += a.Commits
				continue
			}
			at[key] = len(sum)
			sum = append(sum, a)
		}
	}
	return sum
}

// Lines is how many lines an author has added and removed.
type Lines struct {
	Name, Email          string
	Additions, Deletions int64
}

// countPatience is how long one step of counting lines may take.
const countPatience = 8 * time.Minute

// Lines counts what the commits behind one commit, and not behind an older one, have changed by author. Merges count as
// nothing. The older one may be empty.
func (r Repo) Lines(ctx context.Context, older, id string) ([]Lines, error) {
	if !IsID(id) || (older != "" && !IsID(older)) {
		return nil, ErrBadName
	}
	args := []string{"-c", "core.bigFileThreshold=16m", "log", "--numstat", "--no-merges", "--no-ext-diff", "--no-textconv", "--format=tformat:@%an%x00%ae", id}
	if older != "" {
		args = append(args, "^"+older)
	}
	counts := map[[2]string]*Lines{}
	err := r.streamFor(ctx, countPatience, nil, nil, args, func(from io.Reader) error { return countLines(from, counts) })
	if err != nil {
		return nil, err
	}
	all := make([]Lines, 0, len(counts))
	for _, l := range counts {
		all = append(all, *l)
	}
	return all, nil
}

// countLines reads «@name NUL email» and, for each file, «additions deletions path»; a binary file has dashes.
func countLines(from io.Reader, counts map[[2]string]*Lines) error {
	in := bufio.NewReaderSize(from, 64<<10)
	var who *Lines
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull): // of a path only the beginning is looked at
			line = bytes.Clone(line)
			if err := skipLine(in); err != nil {
				return err
			}
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch {
		case line[0] == '@':
			name, email, _ := strings.Cut(strings.TrimSuffix(string(line[1:]), "\n"), "\x00")
			key := [2]string{readable(name), readable(email)}
			if who = counts[key]; who == nil {
				who = &Lines{Name: key[0], Email: key[1]}
				counts[key] = who
			}
		case who != nil && len(line) > 1:
			parts := bytes.SplitN(line, []byte("\t"), 3)
			if len(parts) == 3 {
				who.Additions += number(parts[0])
				who.Deletions += number(parts[1])
			}
		}
	}
}

func number(text []byte) int64 {
	n, _ := strconv.ParseInt(string(text), 10, 64) // a dash is nothing
	return n
}

func skipLine(in *bufio.Reader) error {
	for {
		_, err := in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// Steps are commits on the way from an older commit, or from nothing, to another one, each behind the next: those between
// can be counted one after the other.
func (r Repo) Steps(ctx context.Context, older, id string, apart int) ([]string, error) {
	if !IsID(id) || (older != "" && !IsID(older)) {
		return nil, ErrBadName
	}
	args := []string{"rev-list", "--first-parent", "--reverse", id}
	if older != "" {
		args = append(args, "^"+older)
	}
	out, err := r.output(ctx, large, nil, args...)
	if err != nil {
		return nil, err
	}
	line := strings.Fields(string(out))
	var steps []string
	for i := apart - 1; i < len(line)-1; i += apart {
		if older != "" {
			if forward, err := r.IsAncestor(ctx, older, line[i]); err != nil || !forward {
				continue // the older one came in by a merge later on
			}
		}
		steps = append(steps, line[i])
	}
	return append(steps, id), nil
}
