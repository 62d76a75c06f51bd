package git

import (
	"os/exec"
	"strings"
	"testing"
)

// piped returns git's own patch id of the changes between two commits.
func piped(t *testing.T, r Repo, from, to string) string {
	t.Helper()
	script := `git --git-dir "$0" diff --full-index "$1" "$2" | git patch-id --stable`
	out, err := exec.CommandContext(t.Context(), "sh", "-c", script, r.dir, from, to).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	id, _, _ := strings.Cut(string(out), " ")
	return id
}

func TestPatchIDsAreGits(t *testing.T) {
	t.Parallel()
	r := repo(t)
	long := strings.Repeat("a line of some length\n", 50)
	first := commit(
		t, r, Change{Action: ActionCreate, Path: "a", Content: []byte(long)},
		Change{Action: ActionCreate, Path: "picture", Content: []byte{0, 1, 2}},
	)
	second := commit(
		t, r, Change{Action: ActionUpdate, Path: "a", Content: []byte(long + "more")},
		Change{Action: ActionCreate, Path: "b c", Content: []byte("\n" + strings.Repeat("x", 200<<10))},
	)
	third := commit(
		t, r, Change{Action: ActionMove, Path: "d/ü", Previous: "a"},
		Change{Action: ActionUpdate, Path: "picture", Content: []byte{3, 0}},
	)
	gone := strings.Repeat("1", 40)
	pairs := []Pair{{first, second}, {second, third}, {first, third}, {third, third}, {"", third}, {first, gone}, {gone, first}}
	for range 2 { // the second answer comes from the cache
		got, err := r.PatchIDs(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range pairs {
			want := ""
			switch {
			case p.From == gone || p.To == gone:
			case p.From == "":
				want = piped(t, r, EmptyTree, p.To)
			default:
				want = piped(t, r, p.From, p.To)
			}
			if got[i] != want {
				t.Errorf("%v is %q, git says %q", p, got[i], want)
			}
		}
	}
}
