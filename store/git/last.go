package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
)

const (
	maxLastCommits = 5000                    // commits that one search reads
	maxLastTime    = 1500 * time.Millisecond // how long one search may take
	tooOld         = "-"                     // cached for an entry that the search has not reached
)

// LastCommits returns the commits that made entries of a folder what they are, by the names of the entries. One walk through
// the history of the folder finds all of them. It is bounded: entries that were not changed lately may be missing.
func (r Repo) LastCommits(ctx context.Context, commit, folder string, entries []ListEntry) (map[string]string, error) {
	folder, ok := CleanPath(folder)
	if !IsID(commit) || !ok {
		return nil, ErrBadName
	}
	if folder != "" {
		folder += "/"
	}
	s := lastSearch{folder: folder, found: map[string]string{}, open: map[string]string{}}
	prefix := r.dir + commit + folder
	for _, e := range entries {
		switch id, known := r.all.cache.entries.Get(prefix + e.Name); {
		case !known:
			s.open[e.Name] = e.ID
		case id != tooOld:
			s.found[e.Name] = id
		}
	}
	if len(s.open) == 0 {
		return s.found, nil
	}
	wanted := s.open
	s.open = make(map[string]string, len(wanted))
	for name, id := range wanted {
		s.open[name] = id
	}
	if err := s.run(ctx, r, commit); err != nil {
		return nil, err
	}
	for name := range wanted {
		id := s.found[name]
		if id == "" {
			id = tooOld
		}
		r.all.cache.entries.Set(prefix+name, id)
	}
	return s.found, nil
}

// lastSearch looks for the last commits of entries.
type lastSearch struct {
	folder string            // ends with a slash unless it is the root
	open   map[string]string // the IDs of the entries that it still looks for, by name
	found  map[string]string
}

// run reads the history, newest first, until all entries are found or a limit is reached.
func (s *lastSearch) run(ctx context.Context, r Repo, commit string) error {
	args := []string{
		"log", "-z", "--raw", "-t", "--no-abbrev", "--no-renames", "--format=%x01%H", "--max-count=" + strconv.Itoa(maxLastCommits),
		commit, "--",
	}
	if s.folder != "" {
		args = append(args, s.folder)
	}
	err := r.streamFor(ctx, maxLastTime, literalPaths, nil, args, func(out io.Reader) error { return s.read(bufio.NewReader(out)) })
	if errors.Is(err, errEnough) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	return err
}

// read reads «\x01commit NUL», and for each change «:mode mode id id status NUL path NUL».
func (s *lastSearch) read(in *bufio.Reader) error {
	commit := ""
	for {
		text, err := in.ReadString(0)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text = strings.TrimSuffix(strings.TrimLeft(text, "\n"), "\x00")
		if id, isCommit := strings.CutPrefix(text, "\x01"); isCommit {
			commit = id
			continue
		}
		path, err := in.ReadString(0)
		if err != nil {
			return err
		}
		if parts := strings.Fields(text); len(parts) == 5 {
			s.change(commit, parts[3], strings.TrimSuffix(path, "\x00"))
		}
		if len(s.open) == 0 {
			return errEnough
		}
	}
}

// change notes a change. A commit that made an entry something else than it is now was undone later.
func (s *lastSearch) change(commit, id, path string) {
	name, inside := strings.CutPrefix(path, s.folder)
	if !inside {
		return
	}
	name = readable(name)
	if s.open[name] == id && id != "" {
		s.found[name] = commit
		delete(s.open, name)
	}
}
