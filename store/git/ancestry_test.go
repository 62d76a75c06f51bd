package git

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// woven makes a history with branches, tags and merges of two and more parents, in three parts: the first ones are in
// layers of the commit graph, the last one is not. The clocks of the committers differ.
func woven(t testing.TB, r Repo, graph bool) (commits []string) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 11))
	marks := 0
	for part := range 3 {
		var in strings.Builder
		for range 60 {
			marks++
			when := 1500000000 + marks*60 + rnd.IntN(600)
			fmt.Fprintf(&in, "commit refs/heads/b%d\nmark :%d\ncommitter A <a@x> %d +0000\ndata 1\nx\n", marks%17, marks, when)
			parents := []int{}
			for range min(marks-1, []int{0, 1, 1, 1, 1, 1, 2, 2, 3, 5}[rnd.IntN(10)]) {
				parents = append(parents, max(1, marks-1-rnd.IntN(20)))
			}
			slices.Sort(parents)
			for i, p := range slices.Compact(parents) {
				fmt.Fprintf(&in, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], p)
			}
			if len(parents) == 0 {
				in.WriteString("deleteall\n")
			}
			in.WriteString("\n")
			if marks%9 == 0 {
				fmt.Fprintf(&in, "reset refs/tags/light%d\nfrom :%d\n\n", marks, marks)
			}
			if marks%10 == 0 {
				fmt.Fprintf(&in, "tag heavy%d\nfrom :%d\ntagger A <a@x> 1500000000 +0000\ndata 1\nx\n", marks, marks)
			}
		}
		feed(t, r, in.String(), part)
		if graph && part < 2 {
			ask(t, r, "commit-graph", "write", "--reachable", "--split=no-merge", "--no-progress")
		}
		if part == 1 {
			ask(t, r, "pack-refs", "--all")
		}
	}
	ask(t, r, "update-ref", "refs/tags/blob", object(t, r, "blob", "x"))
	return strings.Fields(ask(t, r, "rev-list", "--all"))
}

// feed imports commits with git. Later parts can use the marks of earlier ones.
func feed(t testing.TB, r Repo, text string, part int) {
	t.Helper()
	marks := filepath.Join(r.dir, "test-marks")
	args := []string{"--git-dir", r.dir, "fast-import", "--quiet", "--force", "--export-marks=" + marks}
	if part > 0 {
		args = append(args, "--import-marks="+marks)
	}
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestRefsThatLeadToACommitAreThoseThatGitFinds(t *testing.T) {
	t.Parallel()
	for _, graph := range []bool{false, true} {
		r := repo(t)
		for i, id := range woven(t, r, graph) {
			if i%5 > 0 {
				continue
			}
			for _, prefix := range []string{"refs/heads/", "refs/tags/"} {
				want := ask(t, r, "for-each-ref", "--contains="+id, "--format=%(refname:lstrip=2)", prefix)
				for range 2 { // the second answer comes from the cache
					if got, err := r.Containing(t.Context(), id, prefix); err != nil || strings.Join(got, "\n") != want {
						t.Fatalf("graph %t, %s in %s: %v, %v; git says %s", graph, id, prefix, got, err, want)
					}
				}
			}
		}
		if layers := len(r.graph().layers); graph && layers != 2 {
			t.Errorf("the graph has %d layers", layers)
		}
	}
}

func TestMergedBranchesAreThoseThatGitFinds(t *testing.T) {
	t.Parallel()
	for _, graph := range []bool{false, true} {
		r := repo(t)
		commits := woven(t, r, graph)
		refs, err := r.Refs("refs/heads/")
		if err != nil || len(refs) != 17 {
			t.Fatal(refs, err)
		}
		for i := range refs {
			refs[i].Name = strings.TrimPrefix(refs[i].Name, "refs/heads/")
		}
		for i, id := range commits {
			if i%5 > 0 {
				continue
			}
			found, err := r.Merged(t.Context(), id, refs)
			var got []string
			for _, ref := range refs {
				if found[ref.Name] {
					got = append(got, ref.Name)
				}
				if is, err := r.IsAncestor(t.Context(), ref.ID, id); err != nil || is != found[ref.Name] {
					t.Errorf("%s behind %s: %t, %v", ref.ID, id, is, err)
				}
			}
			want := ask(t, r, "for-each-ref", "--merged="+id, "--format=%(refname:lstrip=2)", "refs/heads/")
			if err != nil || strings.Join(got, "\n") != want {
				t.Fatalf("graph %t, behind %s are %v, %v; git says %s", graph, id, got, err, want)
			}
		}
	}
}

// Git walks a history that is not in the graph yet and longer than the limit of our own walk.
func TestALongHistoryWithoutAGraphIsWalkedByGit(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, 3*maxOutsideRounds)
	_, head := r.Head()
	first := ask(t, r, "rev-list", "--max-parents=0", "main")
	move(t, r, "refs/heads/old", first)
	apart := ask(t, r, "-c", "user.name=a", "-c", "user.email=a@x", "commit-tree", head+"^{tree}", "-m", "apart")
	move(t, r, "refs/heads/apart", apart)
	if _, _, err := r.ancestry(t.Context(), r.graph(), []string{head}); err == nil {
		t.Error("all of it was read")
	}
	if got, err := r.Containing(t.Context(), first, "refs/heads/"); err != nil || strings.Join(got, " ") != "main old" {
		t.Errorf("%v, %v", got, err)
	}
	got, err := r.Merged(t.Context(), head, []Ref{{"old", first}, {"apart", apart}, {"main", head}})
	if err != nil || !got["old"] || got["apart"] || !got["main"] {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := r.Merged(t.Context(), head, []Ref{{"gone", strings.Repeat("a", 40)}}); err == nil {
		t.Error("a branch at a commit that is not there is merged")
	}
	ask(t, r, "commit-graph", "write", "--reachable", "--split", "--no-progress")
	times, err := r.Times(t.Context(), []string{first, head, apart})
	for i, id := range []string{first, head, apart} {
		c, err2 := r.Commit(t.Context(), id)
		if err != nil || err2 != nil || times[i] != c.Committer.When.Unix() {
			t.Errorf("%s is of %v, %v, %v", id, times, err, err2)
		}
	}
}

func TestABrokenGraphIsLeftAside(t *testing.T) {
	t.Parallel()
	r := repo(t)
	commits := woven(t, r, true)
	want, err := r.Containing(t.Context(), commits[len(commits)-1], "refs/heads/")
	if err != nil || len(want) == 0 {
		t.Fatal(want, err)
	}
	names, err := filepath.Glob(filepath.Join(r.dir, graphFolder, "*"))
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{
			"", "CGPH", strings.Repeat("x", len(good)), string(good[:len(good)/2]), string(good[:8]) + strings.Repeat("\xff", len(good)-8),
		} {
			os.Remove(name)
			if err := os.WriteFile(name, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			again, err := Open(map[string]string{"default": "unused"})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(again.Close)
			got, err := Repo{all: again, dir: r.dir}.Containing(t.Context(), commits[len(commits)-1], "refs/heads/")
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s with %.10q: %v, %v", filepath.Base(name), bad, got, err)
			}
		}
		if err := os.WriteFile(name, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzGraph(f *testing.F) {
	f.Add([]byte("CGPH\x01\x01\x03\x00"), "")
	f.Fuzz(func(t *testing.T, data []byte, id string) {
		name := filepath.Join(t.TempDir(), "graph")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := readLayer(name)
		if err != nil {
			return
		}
		g := graph{layers: []*layer{l}, starts: []int{0}, size: l.count}
		g.find(id)
		for n := range g.size {
			g.depth(n)
			g.when(n)
			g.parents(n, nil)
		}
	})
}

// Packed refs are cached, loose refs are read from their files. The next read sees every change.
func TestPackedRefsAreReadAnewOnceTheyChange(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, file("a", "1"))
	second := commit(t, r, file("b", "2"))
	for _, name := range []string{"a", "a-b", "a.b", "a0", "b/c", "b/d/e", "b-c"} {
		move(t, r, "refs/heads/"+name, first)
	}
	check := func(when string) {
		t.Helper()
		for _, prefix := range []string{"refs/", "refs/heads/", "refs/heads/b/", "refs/tags/"} {
			refs, err := r.Refs(prefix)
			var got []string
			for _, ref := range refs {
				got = append(got, ref.ID+" "+ref.Name)
				if id, err := r.Ref(ref.Name); err != nil || id != ref.ID {
					t.Errorf("%s: %s is %s, %v", when, ref.Name, id, err)
				}
			}
			if want := ask(t, r, "for-each-ref", "--format=%(objectname) %(refname)", prefix); err != nil ||
				strings.Join(got, "\n") != want {
				t.Errorf("%s: %s are %v, %v; git says %s", when, prefix, got, err, want)
			}
		}
	}
	age := func() { // as if the file were old, so that it is cached
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(filepath.Join(r.dir, "packed-refs"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	check("loose")
	ask(t, r, "pack-refs", "--all")
	age()
	check("packed")
	if _, ok := r.all.cache.packed.Get(r.dir); !ok {
		t.Error("they are not kept")
	}
	move(t, r, "refs/heads/a", second)
	check("one moved")
	ask(t, r, "pack-refs", "--all")
	age()
	check("packed again")
	move(t, r, "refs/heads/b/d/e", Zero)
	age() // the same time as before
	check("one deleted")
	ask(t, r, "-c", "user.name=a", "-c", "user.email=a@x", "tag", "-a", "-m", "x", "v1", first)
	ask(t, r, "pack-refs", "--all")
	check("with a tag")
}
