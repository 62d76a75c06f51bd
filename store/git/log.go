package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// LogFilter says which commits a log has, and in which order.
type LogFilter struct {
	From        string // id of the commit to begin at; empty for all branches and tags
	Path        string // of a file or folder, cleaned
	Author      string // part of the name or address
	Since       *time.Time
	Until       *time.Time
	FirstParent bool
	Topo        bool
}

// Log returns the ids of commits, newest first, as git log shows them: at most so many behind the first skipped ones.
func (r Repo) Log(ctx context.Context, f LogFilter, skip, limit int) ([]string, error) {
	if strings.ContainsRune(f.Author, 0) || strings.ContainsRune(f.Path, 0) || (f.From != "" && !IsID(f.From)) {
		return nil, ErrBadName
	}
	args := []string{"rev-list", "--skip=" + strconv.Itoa(skip), "--max-count=" + strconv.Itoa(limit)}
	if f.Author != "" {
		args = append(args, "--fixed-strings", "--author="+f.Author)
	}
	if f.Since != nil {
		args = append(args, "--since="+moment(*f.Since))
	}
	if f.Until != nil {
		args = append(args, "--until="+moment(*f.Until))
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
	out, err := r.outputWith(ctx, []string{"GIT_LITERAL_PATHSPECS=1"}, large, nil, args...)
	return strings.Fields(string(out)), err
}

// moment is a time as git reads it without guessing. It knows none before 1970.
func moment(t time.Time) string {
	const last = 1 << 40
	return fmt.Sprintf("@%d +0000", min(max(t.Unix(), 0), last))
}
