package git

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func repo(t testing.TB) Repo {
	t.Helper()
	all, err := Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(all.Close)
	r := all.Project("default", 7)
	if err := r.Create("main"); err != nil {
		t.Fatal(err)
	}
	return r
}

// ask returns the answer of git itself.
func ask(t testing.TB, r Repo, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"--git-dir", r.dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func commit(t testing.TB, r Repo, changes ...Change) string {
	t.Helper()
	_, head := r.Head()
	who := Person{Name: "Ann <x>", Email: "ann@example.com", When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 5400))}
	c := NewCommit{Author: who, Committer: who, Message: "Title\n\nBody\n\n", Changes: changes}
	old := Zero
	if head != "" {
		parent, err := r.Commit(t.Context(), head)
		if err != nil {
			t.Fatal(err)
		}
		c.Tree, c.Parents, old = parent.Tree, []string{head}, head
	}
	id, err := r.WriteCommit(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	push := &Push{Commands: []Command{{Ref: "refs/heads/main", Old: old, New: id}}}
	if err := r.Update(t.Context(), push); err != nil || push.Commands[0].Refused != "" {
		t.Fatal(err, push.Commands[0].Refused)
	}
	return id
}

func TestWhatIsWrittenIsWhatGitReads(t *testing.T) {
	t.Parallel()
	r := repo(t)
	yes := true
	commit(t, r, Change{Action: ActionCreate, Path: "a/b/c.txt", Content: []byte("c\n")},
		Change{Action: ActionCreate, Path: "a.txt", Content: []byte("a\n")},
		Change{Action: ActionCreate, Path: "a-b", Content: []byte{}},
		Change{Action: ActionCreate, Path: "run", Content: []byte("#!"), Executable: &yes})
	id := commit(t, r, Change{Action: ActionMove, Previous: "a/b/c.txt", Path: "d/e.txt"},
		Change{Action: ActionUpdate, Path: "a.txt", Content: []byte("b\n")},
		Change{Action: ActionDelete, Path: "a-b"}, Change{Action: ActionChmod, Path: "run", Executable: new(bool)})
	if got := ask(t, r, "fsck", "--strict", "--no-dangling"); strings.Contains(got, "error") {
		t.Errorf("git finds fault: %s", got)
	}
	if got := ask(t, r, "ls-tree", "-r", "--format=%(objectmode) %(path)", "main"); got != "100644 a.txt\n100644 d/e.txt\n100644 run" {
		t.Errorf("the files are:\n%s", got)
	}
	if got := ask(
		t, r, "log", "-1", "--format=%an %ae %ai %B", "main",
	); got != "Ann x ann@example.com 2026-01-02 03:04:05 +0130 Title\n\nBody" {
		t.Errorf("the commit is %q", got)
	}
	c, err := r.Commit(t.Context(), id)
	if err != nil || c.Title() != "Title" || len(c.Parents) != 1 || c.Author.When.Format(time.RFC3339) != "2026-01-02T03:04:05+01:30" {
		t.Errorf("read as %+v, %v", c, err)
	}
	entry, err := r.TreeAt(t.Context(), id, "d/e.txt")
	if err != nil || entry.ID != ask(t, r, "rev-parse", "main:d/e.txt") || entry.Kind() != KindBlob {
		t.Errorf("the entry is %+v, %v", entry, err)
	}
	if _, data, err := r.Object(t.Context(), entry.ID, 10); err != nil || string(data) != "c\n" {
		t.Errorf("the blob is %q, %v", data, err)
	}
	for _, change := range []Change{
		{Action: ActionCreate, Path: "a.txt"},
		{Action: ActionUpdate, Path: "none"},
		{Action: ActionDelete, Path: "d"},
		{Action: ActionCreate, Path: "a.txt/x"},
		{Action: ActionCreate, Path: "../x"},
		{Action: ActionCreate, Path: ".git/config"},
		{Action: ActionCreate, Path: "x/.GIT/y"},
		{Action: "break", Path: "x"},
	} {
		var wrong *FileError
		if _, err := r.WriteCommit(t.Context(), NewCommit{Tree: c.Tree, Changes: []Change{change}}); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", change, err)
		}
	}
}

func TestRevisionsAreResolvedAsGitDoes(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("1")})
	second := commit(t, r, Change{Action: ActionUpdate, Path: "a", Content: []byte("2")})
	ask(t, r, "-c", "user.name=x", "-c", "user.email=x@y", "tag", "-a", "-m", "one", "v1", first)
	ask(t, r, "pack-refs", "--all")
	for rev, want := range map[string]string{
		"": second, "HEAD": second, "main": second, "refs/heads/main": second, "v1": first, "main~1": first,
		"main^": first, second: second, second[:8]: second,
	} {
		if got, err := r.Resolve(t.Context(), rev); err != nil || got != want {
			t.Errorf("%q is %s, %v, want %s", rev, got, err, want)
		}
	}
	for _, rev := range []string{
		"none", "-main", "main..v1", "main@{1}", "main\n", "main\x00", "main:a", "a b", Zero, "refs/heads/../../HEAD",
		"--all", "^main",
	} {
		if got, err := r.Resolve(t.Context(), rev); err == nil {
			t.Errorf("%q is %s", rev, got)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Info(gone, "main"); err == nil {
		t.Error("a caller who is gone is answered")
	}
	if _, err := r.Info(t.Context(), "main"); err != nil {
		t.Errorf("and the next one is not: %v", err)
	}
}

func FuzzPacket(f *testing.F) {
	f.Add([]byte("0000"))
	f.Add([]byte("0009hello"))
	f.Add([]byte("00a4" + Zero + " " + Zero + " refs/heads/main\x00 report-status"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = ReadPush(strings.NewReader(string(data)))
	})
}
