package git

import (
	"slices"
	"strings"
	"testing"
)

// The pages of a log that is read ahead are the same as git's, wherever they begin, with and without the cache.
func TestPagesOfALogAreThoseOfGit(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, 2*readAhead+50)
	_, head := r.Head()
	all := strings.Fields(ask(t, r, "rev-list", "main"))
	for range 2 {
		for _, skip := range []int{0, 20, readAhead - 1, readAhead, 2*readAhead - 10, 2*readAhead + 40, len(all), 10 * len(all)} {
			got, err := r.Log(t.Context(), LogFilter{From: head}, skip, 101)
			from := min(skip, len(all))
			if want := all[from:min(from+101, len(all))]; err != nil || !slices.Equal(got, want) {
				t.Errorf("behind %d there are %d commits, want %d (%v)", skip, len(got), len(want), err)
			}
		}
	}
	// Steps from a branch follow the branch.
	before, err := r.Resolve(t.Context(), "main~1")
	if err != nil || before != all[1] {
		t.Errorf("main~1 is %s, want %s (%v)", before, all[1], err)
	}
	commit(t, r, Change{Action: ActionCreate, Path: "new", Content: []byte("x")})
	if before, err = r.Resolve(t.Context(), "main~1"); err != nil || before != head {
		t.Errorf("main~1 is %s after a commit, want %s (%v)", before, head, err)
	}
	if none, err := r.Resolve(t.Context(), "main~100000"); err == nil {
		t.Errorf("far behind everything there is %s", none)
	}
}
