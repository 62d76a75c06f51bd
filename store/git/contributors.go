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

// Author is an author with the number of their commits.
type Author struct {
	Name, Email string
	Commits     int64
}

// Authors counts the commits in a history by author. It continues from the last count if that is in the same history.
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
	// In a bare repository shortlog would apply the .mailmap of the tip, and later counts could not build on this one.
	out, err := r.output(ctx, large, nil, append([]string{"-c", "mailmap.blob=", "shortlog", "-s", "-e"}, revs...)...)
	if err != nil {
		return nil, err
	}
	authors := addAuthors(before, parseShortlog(string(out)))
	cache.authors.Set(r.dir+id, authors)
	cache.counted.Set(r.dir, id)
	return authors, nil
}

// parseShortlog reads lines like «    12  Name <email>».
func parseShortlog(text string) []Author {
	var authors []Author
	for line := range strings.Lines(text) {
		count, who, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		n, err := strconv.ParseInt(strings.TrimSpace(count), 10, 64)
		at := strings.LastIndex(who, "<")
		if err != nil || at < 0 {
			continue
		}
		authors = append(
			authors,
			Author{Name: readable(strings.TrimSpace(who[:at])), Email: readable(strings.TrimSuffix(who[at+1:], ">")), Commits: n},
		)
	}
	return authors
}

func addAuthors(before, more []Author) []Author {
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

// Lines is the number of lines that an author has added and removed.
type Lines struct {
	Name, Email          string
	Additions, Deletions int64
}

// countWait is how long one step of counting lines may take.
const countWait = 8 * time.Minute

// Lines counts the lines that commits have changed, by author: the commits in the history of id and not of older.
// Merges count as nothing. The older commit may be empty.
func (r Repo) Lines(ctx context.Context, older, id string) ([]Lines, error) {
	if !IsID(id) || (older != "" && !IsID(older)) {
		return nil, ErrBadName
	}
	args := []string{
		"-c", "core.bigFileThreshold=16m", "log", "--numstat", "--no-merges", "--no-ext-diff", "--no-textconv",
		"--format=tformat:@%an%x00%ae", id,
	}
	if older != "" {
		args = append(args, "^"+older)
	}
	counts := map[[2]string]*Lines{}
	err := r.streamFor(ctx, countWait, nil, nil, args, func(from io.Reader) error { return countLines(from, counts) })
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
		case errors.Is(err, bufio.ErrBufferFull): // a long path: its beginning is enough
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
				who.Additions += parseCount(parts[0])
				who.Deletions += parseCount(parts[1])
			}
		}
	}
}

func parseCount(text []byte) int64 {
	n, _ := strconv.ParseInt(string(text), 10, 64) // a dash counts as 0
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

// Steps returns commits on the first-parent line from an older commit, or from the beginning, to another one. Each is
// an ancestor of the next, so the commits between them can be counted step by step.
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
				continue // the older commit was merged in later
			}
		}
		steps = append(steps, line[i])
	}
	return append(steps, id), nil
}
