package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
)

// ancestry answers which commits are ancestors of which without starting git. It uses the commit graph and, for commits
// that are not in the graph, the commits themselves. Those get numbers from the size of the graph on.
type ancestry struct {
	graph   graph
	numbers map[string]int
	outside []outsideCommit
	broken  bool // the graph turned out to be damaged, so no answer counts
}

// outsideCommit is a commit that is not in the graph.
type outsideCommit struct{ parents []int }

// The limits for reading commits that are not in the graph: how many, and in how many rounds. Each round reads the
// parents of all commits of the round before. Beyond these limits git is faster.
const (
	maxOutside       = 50000
	maxOutsideRounds = 64
	deepest          = 1 << 30 // greater than any depth in a graph
)

var errTooManyOutside = errors.New("too many commits are not in the commit graph")

// ancestry reads the ancestors of some commits that the graph does not have. It also returns the numbers of the
// commits.
func (r Repo) ancestry(ctx context.Context, g graph, ids []string) (*ancestry, []int, error) {
	a := &ancestry{graph: g, numbers: map[string]int{}}
	numbers, unknown := a.add(ids)
	var found []Commit
	for asked := 0; len(unknown) > 0; asked++ {
		if asked == maxOutsideRounds || len(a.numbers) > maxOutside {
			return nil, nil, errTooManyOutside
		}
		commits, err := r.Commits(ctx, unknown)
		if err != nil {
			return nil, nil, err
		}
		found = append(found, commits...)
		var parents []string
		for _, c := range commits {
			parents = append(parents, c.Parents...)
		}
		_, unknown = a.add(parents)
	}
	a.outside = make([]outsideCommit, len(found))
	for i, c := range found {
		a.outside[i].parents, _ = a.add(c.Parents)
	}
	return a, numbers, nil
}

// add returns the numbers of commits, and the commits that had no number before.
func (a *ancestry) add(ids []string) (numbers []int, added []string) {
	numbers = make([]int, len(ids))
	for i, id := range ids {
		n, known := a.number(id)
		if !known {
			n = a.graph.size + len(a.numbers)
			a.numbers[id] = n
			added = append(added, id)
		}
		numbers[i] = n
	}
	return numbers, added
}

func (a *ancestry) number(id string) (int, bool) {
	if len(a.numbers) > 0 {
		if n, ok := a.numbers[id]; ok {
			return n, true
		}
	}
	return a.graph.find(id)
}

func (a *ancestry) parents(n int, to []int) []int {
	if n >= a.graph.size {
		return append(to, a.outside[n-a.graph.size].parents...)
	}
	to, ok := a.graph.parents(n, to)
	if !ok {
		a.broken = true
		return nil
	}
	return to
}

// depthAtMost is the greatest depth that a commit may have, and least the smallest. A commit that is not in the graph counts
// as deeper than all commits in the graph.
func (a *ancestry) depthAtMost(n int) int {
	if n < a.graph.size {
		if d := a.graph.depth(n); d > 0 {
			return d
		}
	}
	return math.MaxInt
}

func (a *ancestry) depthAtLeast(n int) int {
	if n < a.graph.size {
		return a.graph.depth(n)
	}
	return deepest
}

// What a walk has found out about a commit.
const (
	notKnown = iota
	without
	with
)

// holding returns which commits have the target in their history, or are the target. It visits each commit once,
// however many paths lead to it.
func (a *ancestry) holding(target int, from []int) []bool {
	marks := make([]byte, a.graph.size+len(a.outside))
	marks[target] = with
	floor := a.depthAtLeast(target)
	held := make([]bool, len(from))
	var way, parents []int
	for i, n := range from {
		for way = append(way[:0], n); len(way) > 0; {
			at := way[len(way)-1]
			if marks[at] == notKnown && a.depthAtMost(at) <= floor {
				marks[at] = without
			}
			if marks[at] != notKnown {
				way = way[:len(way)-1]
				continue
			}
			parents = a.parents(at, parents[:0])
			next := -1
			marks[at] = without
			for _, p := range parents {
				if marks[p] == with {
					marks[at], next = with, -1
					break
				}
				if marks[p] == notKnown && next < 0 {
					next = p
				}
			}
			if next >= 0 {
				marks[at] = notKnown
				way = append(way, next)
			}
			if len(way) > len(marks) { // a damaged file can lead in a circle
				a.broken = true
				return held
			}
		}
		held[i] = marks[n] == with
	}
	return held
}

// behind returns which of the wanted commits are in the history of a commit, or are that commit.
func (a *ancestry) behind(from int, wanted []int) []bool {
	seen := make([]bool, a.graph.size+len(a.outside))
	left, floor := map[int]bool{}, math.MaxInt
	for _, n := range wanted {
		left[n] = true
		floor = min(floor, a.depthAtLeast(n))
	}
	var way, parents []int
	for way = append(way, from); len(way) > 0 && len(left) > 0; {
		at := way[len(way)-1]
		way = way[:len(way)-1]
		if seen[at] || a.depthAtMost(at) < floor {
			continue
		}
		seen[at] = true
		delete(left, at)
		parents = a.parents(at, parents[:0])
		way = append(way, parents...)
	}
	found := make([]bool, len(wanted))
	for i, n := range wanted {
		found[i] = seen[n]
	}
	return found
}

// holding returns which refs have a commit in their history.
func (r Repo) holding(ctx context.Context, id string, refs []Ref) ([]bool, error) {
	g := r.graph()
	tips, err := r.commitsOf(ctx, g, refs)
	if err != nil {
		return nil, err
	}
	some := slices.DeleteFunc(slices.Clone(tips), func(tip string) bool { return tip == "" })
	var found []bool
	a, numbers, err := r.ancestry(ctx, g, append(some, id))
	if err == nil {
		found = a.holding(numbers[len(some)], numbers[:len(some)])
	}
	if err != nil || a.broken {
		if found, err = r.heldByGit(ctx, id, some); err != nil {
			return nil, err
		}
	}
	held := make([]bool, len(refs))
	for i, tip := range tips {
		if tip != "" {
			held[i], found = found[0], found[1:]
		}
	}
	return held, nil
}

// heldByGit asks git which commits have a commit in their history. It walks once for all of them, which for-each-ref
// --contains does not.
func (r Repo) heldByGit(ctx context.Context, id string, tips []string) ([]bool, error) {
	listed, err := r.listed(ctx, tips, id, "--ignore-missing", "--ancestry-path")
	if err != nil {
		return nil, err
	}
	held := make([]bool, len(tips))
	for i, tip := range tips {
		held[i] = tip == id || listed[tip]
	}
	return held, nil
}

// listed returns which of some commits git lists when it leaves out another commit and its ancestors.
func (r Repo) listed(ctx context.Context, tips []string, except string, flags ...string) (map[string]bool, error) {
	listed := make(map[string]bool, len(tips))
	for _, tip := range tips {
		listed[tip] = false
	}
	in := strings.NewReader(strings.Join(tips, "\n") + "\n^" + except + "\n")
	args := append(append([]string{"rev-list"}, flags...), "--stdin")
	err := r.stream(ctx, nil, in, args, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			if _, asked := listed[lines.Text()]; asked {
				listed[lines.Text()] = true
			}
		}
		return lines.Err()
	})
	return listed, err
}

// commitsOf returns the commits that refs point to; the result is empty for a tag of something else. An id in the
// commit graph is a commit, and so is the tip of a branch.
func (r Repo) commitsOf(ctx context.Context, g graph, refs []Ref) ([]string, error) {
	tips := make([]string, len(refs))
	var ask []int
	for i, ref := range refs {
		if tip, ok := r.all.cache.steps.Get(commitOf(r, ref.ID)); ok {
			tips[i] = tip
		} else if _, ok := g.find(ref.ID); ok || strings.HasPrefix(ref.Name, "refs/heads/") {
			tips[i] = ref.ID
		} else {
			ask = append(ask, i)
		}
	}
	if len(ask) == 0 {
		return tips, nil
	}
	err := r.withBatch(ctx, func(b *batch) error {
		for some := range slices.Chunk(ask, maxAsked) {
			revs := make([]string, len(some))
			for i, at := range some {
				revs[i] = refs[at].ID + "^{commit}"
			}
			infos, err := b.infos(revs)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			for i, at := range some {
				if tips[at] = infos[i].ID; tips[at] != "" {
					r.all.cache.steps.Set(commitOf(r, refs[at].ID), tips[at])
				}
			}
		}
		return nil
	})
	return tips, err
}

// commitOf is the cache key of the commit that a tag points to.
func commitOf(r Repo, tag string) string { return r.dir + " commit of " + tag }

// Times returns the committer times of commits, in seconds since 1970.
func (r Repo) Times(ctx context.Context, ids []string) ([]int64, error) {
	g := r.graph()
	times := make([]int64, len(ids))
	var others []string
	var at []int
	for i, id := range ids {
		if n, ok := g.find(id); ok {
			times[i] = g.when(n)
		} else {
			others, at = append(others, id), append(at, i)
		}
	}
	commits, err := r.Commits(ctx, others)
	if err != nil {
		return nil, err
	}
	for i, c := range commits {
		times[at[i]] = c.Committer.When.Unix()
	}
	return times, nil
}
