package git

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Comparison is what lies between two commits.
type Comparison struct {
	Commits []Commit // oldest first
	Files   []FileDiff
	Cut     bool // whether something was left out
}

const (
	maxCompared = 5000 // commits
	maxCompare  = 20 * time.Second
)

// Compare tells which commits are behind one commit and not behind another, which may be in another repository, and how
// the files differ: straight from that, or from what both have in common.
func (r Repo) Compare(ctx context.Context, other Repo, from, to string, straight bool) (Comparison, error) {
	if !IsID(from) || !IsID(to) {
		return Comparison{}, ErrBadName
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, maxCompare)
	defer cancel()
	var env []string
	if other.dir != r.dir {
		env = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + filepath.Join(other.dir, "objects")}
	}
	c, err := r.compare(ctx, env, from, to, straight)
	if errors.Is(err, context.DeadlineExceeded) && caller.Err() == nil {
		c.Cut, err = true, nil
	}
	return c, err
}

func (r Repo) compare(ctx context.Context, env []string, from, to string, straight bool) (Comparison, error) {
	var c Comparison
	base, err := from, error(nil)
	if !straight {
		base, err = r.mergeBase(ctx, env, from, to)
		if errors.Is(err, ErrNotFound) {
			base, err = EmptyTree, nil // nothing in common
		}
	}
	if err != nil {
		return c, err
	}
	if c.Commits, c.Cut, err = r.between(ctx, env, from, to); err != nil {
		return c, err
	}
	files, cut, err := r.diff(ctx, env, base, to)
	c.Files, c.Cut = files, c.Cut || cut
	return c, err
}

// between reads the commits behind one and not behind another, oldest first, and tells whether older ones were left out.
func (r Repo) between(ctx context.Context, env []string, from, to string) ([]Commit, bool, error) {
	out, err := r.outputWith(ctx, env, small, nil, "rev-list", "--reverse", "--max-count="+strconv.Itoa(maxCompared+1), to, "^"+from)
	if err != nil {
		return nil, false, err
	}
	ids := strings.Fields(string(out))
	cut := len(ids) > maxCompared
	if cut {
		ids = ids[1:]
	}
	commits, err := r.Commits(ctx, ids)
	return commits, cut, err
}
