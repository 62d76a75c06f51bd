package git

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Comparison is the difference between two commits.
type Comparison struct {
	Commits []Commit // oldest first
	Files   []FileDiff
	Cut     bool // something was left out
}

const (
	maxCompared = 5000 // commits
	maxCompare  = 20 * time.Second
)

// Compare returns the commits in the history of "to" but not of "from", which may be in another repository, and how the
// files differ: from "from" itself if straight, else from the merge base.
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
	between, err := r.between(ctx, env, from, to)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Cut: between.cut}
	if c.Commits, err = r.Commits(ctx, between.ids); err != nil {
		return c, err
	}
	base := from
	if !straight {
		base, err = r.baseOf(ctx, env, between, from, to)
	}
	if err != nil {
		return c, err
	}
	files, cut, err := r.diff(ctx, env, base, to)
	c.Files, c.Cut = files, c.Cut || cut
	return c, err
}

// baseOf returns what files are compared with: the merge base, or the empty tree if there is none.
func (r Repo) baseOf(ctx context.Context, env []string, between span, from, to string) (string, error) {
	if between.base != "" {
		return between.base, nil
	}
	base, err := r.mergeBase(ctx, env, from, to)
	if errors.Is(err, ErrNotFound) {
		return EmptyTree, nil
	}
	return base, err
}

// span is the commits in the history of one commit and not of another.
type span struct {
	ids  []string // oldest first
	cut  bool     // older ones were left out
	base string   // the merge base, if it was found on the way
}

// between finds the commits in the history of "to" and not of "from".
func (r Repo) between(ctx context.Context, env []string, from, to string) (span, error) {
	if env == nil {
		if ids, base, ok, err := r.betweenWithoutGit(ctx, from, to); ok || err != nil {
			return span{ids: ids, base: base}, err
		}
	}
	return r.betweenByGit(ctx, env, from, to)
}

// betweenByGit finds the commits with git, which marks the boundary commits.
func (r Repo) betweenByGit(ctx context.Context, env []string, from, to string) (span, error) {
	out, err := r.outputWith(
		ctx, env, small, nil, "rev-list", "--reverse", "--boundary", "--max-count="+strconv.Itoa(maxCompared+1), to,
		"^"+from,
	)
	if err != nil {
		return span{}, err
	}
	var s span
	for line := range strings.FieldsSeq(string(out)) {
		edge, marked := strings.CutPrefix(line, "-")
		if !marked {
			s.ids = append(s.ids, line)
		}
		if marked && edge == from {
			s.base = from
		}
	}
	if s.cut = len(s.ids) > maxCompared; s.cut {
		s.ids = s.ids[1:]
	}
	return s, nil
}
