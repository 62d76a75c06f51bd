package git

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// LogFilter selects the commits of a log, and their order.
type LogFilter struct {
	From        string // id of the commit to start at; empty for all branches and tags
	Path        string // of a file or folder, clean
	Author      string // a part of the name or address
	Message     string // a part of the message, in any case of letters
	Since       *time.Time
	Until       *time.Time
	FirstParent bool
	Topo        bool
}

// readAhead is how many commits of a plain log are read at once: a client that asks for a page often asks for the next
// one.
const readAhead = 200

// Log returns the ids of commits, newest first, as git log shows them: at most limit, after skipping the first ones.
func (r Repo) Log(ctx context.Context, f LogFilter, skip, limit int) ([]string, error) {
	if strings.ContainsRune(f.Author, 0) || strings.ContainsAny(f.Message, "\x00\n") || strings.ContainsRune(f.Path, 0) ||
		(f.From != "" && !IsID(f.From)) {
		return nil, ErrBadName
	}
	if plain := (LogFilter{From: f.From, FirstParent: f.FirstParent, Topo: f.Topo}); f != plain || f.From == "" || limit > readAhead {
		return r.log(ctx, f, skip, limit)
	}
	// The log from one commit never changes, so it can be cached.
	first := skip / readAhead * readAhead
	key := fmt.Sprint(r.dir, f.From, f.FirstParent, f.Topo, first)
	ids, ok := r.all.cache.logs.Get(key)
	if !ok {
		var err error
		// Twice as many, so that a page that begins in the first half is complete.
		if ids, err = r.log(ctx, f, first, 2*readAhead); err != nil {
			return nil, err
		}
		r.all.cache.logs.Set(key, ids)
	}
	ids = ids[min(skip-first, len(ids)):]
	return ids[:min(limit, len(ids))], nil
}

func (r Repo) log(ctx context.Context, f LogFilter, skip, limit int) ([]string, error) {
	args := []string{"rev-list", "--skip=" + strconv.Itoa(skip), "--max-count=" + strconv.Itoa(limit)}
	if f.Author != "" {
		args = append(args, "--fixed-strings", "--author="+f.Author)
	}
	if f.Message != "" {
		args = append(args, "--fixed-strings", "--regexp-ignore-case", "--grep="+f.Message)
	}
	if f.Since != nil {
		args = append(args, "--since="+gitTime(*f.Since))
	}
	if f.Until != nil {
		args = append(args, "--until="+gitTime(*f.Until))
	}
	if f.FirstParent {
		args = append(args, "--first-parent")
	}
	if f.Topo {
		args = append(args, "--topo-order")
	}
	if f.From == "" {
		args = append(args, "--branches", "--tags")
	} else {
		args = append(args, f.From)
	}
	args = append(args, "--")
	if f.Path != "" {
		args = append(args, f.Path)
	}
	if f.Message != "" { // git reads every commit until it has found enough
		limited, stop := context.WithTimeout(ctx, maxGrepTime)
		defer stop()
		out, err := r.outputWith(limited, []string{"GIT_LITERAL_PATHSPECS=1"}, large, nil, args...)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = ErrTooSlow
		}
		return strings.Fields(string(out)), err
	}
	out, err := r.outputWith(ctx, []string{"GIT_LITERAL_PATHSPECS=1"}, large, nil, args...)
	return strings.Fields(string(out)), err
}

// gitTime formats a time so that git reads it without guessing. Git has no times before 1970.
func gitTime(t time.Time) string {
	const last = 1 << 40
	return fmt.Sprintf("@%d +0000", min(max(t.Unix(), 0), last))
}
