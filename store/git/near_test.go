package git

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// tangled makes a history of merges with unreliable clocks: by turns, all at once or backwards.
func tangled(t *testing.T, r Repo, n int, random *rand.Rand) []string {
	t.Helper()
	var b strings.Builder
	clock := random.IntN(3)
	for i := 1; i <= n; i++ {
		when := 1700000000
		switch clock {
		case 0:
			when += i
		case 1:
			when += i/3 + random.IntN(5)
		}
		fmt.Fprintf(&b, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 2\nx\n", i, i, when)
		for p := range min(1+random.IntN(6)/4, i-1) {
			of := 1 + random.IntN(i-1)
			if i > 6 && random.IntN(4) > 0 {
				of = i - 1 - random.IntN(5)
			}
			fmt.Fprintf(&b, "%s :%d\n", []string{"from", "merge"}[p], of)
		}
		fmt.Fprintf(&b, "M 644 inline f\ndata 4\n%04d\n", i)
	}
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", r.dir, "fast-import", "--quiet", "--force")
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Fields(ask(t, r, "for-each-ref", "--format=%(objectname)", "refs/heads/b*"))
}

func TestNearCommitsAreFoundAsGitFindsThem(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same histories each time
	told := 0
	for range 6 {
		r := repo(t)
		all := tangled(t, r, 40, random)
		for range 40 {
			from, to := all[random.IntN(len(all))], all[random.IntN(len(all))]
			ids, base, ok, err := r.betweenWithoutGit(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			told++
			want, err := r.betweenByGit(t.Context(), nil, from, to)
			if err != nil || !slices.Equal(ids, want.ids) {
				t.Fatalf("%s..%s in %s\n%q\ngit: %q, %v", from, to, r.dir, ids, want.ids, err)
			}
			if git := ask(t, r, "merge-base", "--all", from, to); base != git {
				t.Fatalf("base of %s and %s is %s, git: %s", from, to, base, git)
			}
		}
	}
	if told < 60 {
		t.Errorf("only %d of 240 were told", told)
	}
}

func TestFarCommitsAreLeftToGit(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, maxNear+50)
	_, head := r.Head()
	first := ask(t, r, "rev-list", "--max-parents=0", "main")
	if _, _, ok, err := r.betweenWithoutGit(t.Context(), first, head); ok || err != nil {
		t.Errorf("near: %v, %v", ok, err)
	}
	if s, err := r.between(t.Context(), nil, first, head); err != nil || len(s.ids) != maxNear+49 || s.base != first {
		t.Errorf("%d commits above %q, %v", len(s.ids), s.base, err)
	}
}
