package git

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// maxNear is how many commits near reads one by one before it leaves the question to git.
const maxNear = 300

// Marks that say from which of two commits a commit was reached. An ancestor of a common ancestor is past.
const (
	behindFrom = 1 << iota
	behindTo
	past
	common = behindFrom | behindTo
)

// step is a commit on the walk back from two commits.
type step struct {
	commit Commit
	marks  int
	done   bool
}

// commitWalk walks back from two commits, the newest commits first, as git does.
type commitWalk struct {
	repo    Repo
	steps   map[string]*step
	waiting []*step  // newest first; of the same time, the one that was reached first
	ids     []string // ancestors of "to" and not of "from", newest first
	bases   []string // common ancestors that are not behind another common ancestor
	oldest  int64    // time of the oldest of all these
}

// betweenWithoutGit does the same as between and mergeBase for commits that are not far from each other: starting git takes longer
// than reading a few commits. It returns false if it cannot answer and git must.
func (r Repo) betweenWithoutGit(ctx context.Context, from, to string) (ids []string, base string, ok bool, err error) {
	w := commitWalk{repo: r, steps: map[string]*step{}}
	for _, start := range []struct {
		id    string
		marks int
	}{{to, behindTo}, {from, behindFrom}} {
		if ok, err := w.reach(ctx, []string{start.id}, start.marks); err != nil || !ok {
			return nil, "", false, err
		}
	}
	for !w.finished() {
		s := w.waiting[0]
		w.waiting = w.waiting[1:]
		if ok, err := w.reach(ctx, s.commit.Parents, w.pass(s)); err != nil || !ok {
			return nil, "", false, err
		}
	}
	if len(w.bases) != 1 {
		return nil, "", false, nil // none or several: git has rules for that
	}
	slices.Reverse(w.ids)
	return w.ids, w.bases[0], true, nil
}

// walkReadAhead is how many commits one read brings on a walk back.
const walkReadAhead = 16

// prefetchCommits reads a commit that is not cached and its first ancestors together, because the walk is about to ask for them
// one by one.
func (r Repo) prefetchCommits(ctx context.Context, id string) error {
	if _, ok := r.all.cache.commits.Get(r.dir + id); ok || !IsID(id) {
		return nil
	}
	revs := make([]string, walkReadAhead)
	for i := range revs {
		revs[i] = id + "~" + strconv.Itoa(i)
	}
	return r.withBatch(ctx, func(b *batch) error {
		infos, err := b.infos(revs) // those before the first commit of the history are missing
		if err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
		infos = slices.DeleteFunc(infos, func(i Info) bool { return i.Kind != KindCommit || i.Size > maxCommit })
		return b.each(infos, func(i int, data []byte) {
			r.all.cache.commits.Set(r.dir+infos[i].ID, parseCommit(infos[i].ID, string(data)))
		})
	})
}

// pass records what a commit is, and returns the marks for its parents.
func (w *commitWalk) pass(s *step) int {
	s.done = true
	switch s.marks {
	case behindTo:
		w.ids = append(w.ids, s.commit.ID)
	case common:
		w.bases = append(w.bases, s.commit.ID)
	default:
		return s.marks
	}
	when := s.commit.Committer.When.Unix()
	if len(w.ids)+len(w.bases) == 1 || when < w.oldest {
		w.oldest = when
	}
	if s.marks == common {
		return common | past
	}
	return s.marks
}

// finished reports whether the walk can end: the commits that still wait can neither be part of the answer nor change it.
// It judges by times: a commit as old as the oldest of the answer may still lead to it.
func (w *commitWalk) finished() bool {
	return len(w.waiting) == 0 ||
		(w.waiting[0].commit.Committer.When.Unix() < w.oldest && !slices.ContainsFunc(
			w.waiting, func(s *step) bool { return s.marks&past == 0 },
		))
}

// reach marks commits and queues them. It returns false if a commit was passed with too few marks, because clocks
// differed, and if the walk gets too long.
func (w *commitWalk) reach(ctx context.Context, ids []string, marks int) (bool, error) {
	for i, id := range ids {
		s, known := w.steps[id]
		switch {
		case known && s.done && s.marks|marks != s.marks:
			return false, nil
		case known:
			s.marks |= marks
			continue
		case len(w.steps) >= maxNear:
			return false, nil
		}
		if marks == behindTo && i == 0 { // most walks go along first parents
			if err := w.repo.prefetchCommits(ctx, id); err != nil {
				return false, err
			}
		}
		commit, err := w.repo.Commit(ctx, id)
		if err != nil {
			return false, err
		}
		s = &step{commit: commit, marks: marks}
		w.steps[id] = s
		when := commit.Committer.When.Unix()
		at, _ := slices.BinarySearchFunc(w.waiting, when, func(other *step, when int64) int {
			if other.commit.Committer.When.Unix() >= when {
				return -1
			}
			return 1
		})
		w.waiting = slices.Insert(w.waiting, at, s)
	}
	return true, nil
}
