package git

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// loosen turns all packs of a repository into loose objects.
func loosen(t testing.TB, r Repo) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "pack-*.pack"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range packs {
		data, err := os.ReadFile(pack)
		if err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(strings.TrimSuffix(pack, ".pack") + ".*")
		for _, file := range files {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "git", "--git-dir", r.dir, "unpack-objects", "-q")
		cmd.Stdin = bytes.NewReader(data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

func TestMissingObjectsAreFound(t *testing.T) {
	t.Parallel()
	r := repo(t)
	id := commit(t, r, Change{Action: ActionCreate, Path: "a.txt", Content: []byte("text")})
	loosen(t, r)
	for name, check := range map[string]func() ([]string, error){
		"refs": func() ([]string, error) { return r.CheckRefs(t.Context()) },
		"fsck": func() ([]string, error) { return r.Fsck(t.Context()) },
	} {
		if problems, err := check(); err != nil || len(problems) > 0 {
			t.Errorf("%s of a sound repository: %q %v", name, problems, err)
		}
	}
	tree := ask(t, r, "rev-parse", id+"^{tree}")
	blob := ask(t, r, "rev-parse", id+":a.txt")
	remove := func(object string) {
		if err := os.Remove(filepath.Join(r.dir, "objects", object[:2], object[2:])); err != nil {
			t.Fatal(err)
		}
	}
	remove(blob)
	if problems, err := r.Fsck(t.Context()); err != nil || !strings.Contains(strings.Join(problems, "\n"), "missing blob "+blob) {
		t.Errorf("fsck: %q %v", problems, err)
	}
	if problems, err := r.CheckRefs(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("the quick check looks at contents: %q %v", problems, err)
	}
	remove(tree)
	if problems, err := r.CheckRefs(t.Context()); err != nil || len(problems) != 1 ||
		!strings.Contains(problems[0], "the files of refs/heads/main") {
		t.Errorf("without the tree: %q %v", problems, err)
	}
	remove(id)
	if problems, err := r.CheckRefs(t.Context()); err != nil || len(problems) != 1 ||
		!strings.Contains(problems[0], "refs/heads/main leads to the object "+id+", which is missing") {
		t.Errorf("without the commit: %q %v", problems, err)
	}
}

func TestRepositoriesOnDiskAreListedAndSetAside(t *testing.T) {
	t.Parallel()
	all, err := Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(all.Close)
	want := map[string]bool{}
	project, wiki := all.Project("default", 1), all.ProjectWiki("default", 1)
	for _, r := range []Repo{project, wiki, all.Snippet("default", 2), all.GroupWiki("default", 3)} {
		if err := r.Create("main"); err != nil {
			t.Fatal(err)
		}
		want[r.PathIn("default")] = true
	}
	list := func() map[string]bool {
		found := map[string]bool{}
		err := all.EachOnDisk(t.Context(), "default", func(path string, _ time.Time) error {
			found[path] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	found := list()
	for path := range want {
		if !found[path] || len(found) != len(want) {
			t.Errorf("found %v, want %v", found, want)
		}
	}
	lost := all.Project("default", 1)
	to, err := all.SetAside("default", lost.PathIn("default"))
	if _, gone := os.Stat(filepath.Join(to, "HEAD")); err != nil || gone != nil || lost.Exists() || len(list()) != len(want)-1 {
		t.Errorf("%s: %v %v", to, err, gone)
	}
	for _, path := range []string{"../x.git", "/etc"} {
		if _, err := all.SetAside("default", path); err == nil {
			t.Errorf("%s was moved", path)
		}
	}
}
