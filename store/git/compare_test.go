package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// imported makes a history of n commits on main, each of which changes one file.
func imported(t testing.TB, r Repo, n int) {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(
			&b,
			"commit refs/heads/main\ncommitter A%d <a@example.com> %d +0000\ndata 2\nx\nM 644 inline f%d\ndata 2\n%d\n",
			i%7, 1700000000+i, i%50, i%10,
		)
	}
	cmd := exec.CommandContext(t.Context(), "git", "--git-dir", r.dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestALongHistoryIsComparedInPart(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, maxCompared+100)
	_, head := r.Head()
	first := ask(t, r, "rev-list", "--max-parents=0", "main")
	c, err := r.Compare(t.Context(), r, first, head, true)
	if err != nil || !c.Cut || len(c.Commits) != maxCompared || c.Commits[maxCompared-1].ID != head {
		t.Fatalf("%d commits, cut %v, %v", len(c.Commits), c.Cut, err)
	}
	if _, err := r.Compare(t.Context(), r, "-x", head, true); !errors.Is(err, ErrBadName) {
		t.Errorf("an option: %v", err)
	}
	// A caller that cancels gets no answer, and no partial one.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Compare(ctx, r, first, head, false); err == nil {
		t.Error("an answer for nobody")
	}
}

func TestTheCommitsOfAuthorsAreCountedUpToACommit(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, 1200)
	_, head := r.Head()
	middle := ask(t, r, "rev-parse", "main~100")
	for _, id := range []string{middle, head} {
		authors, err := r.Authors(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, a := range authors {
			sum += a.Commits
		}
		if want := ask(t, r, "rev-list", "--count", id); len(authors) != 7 || fmt.Sprint(sum) != want {
			t.Errorf("%d authors with %d commits, want %s", len(authors), sum, want)
		}
	}
}

// Lines add up to the same, whether counted at once or in steps.
func TestCountsGoOnFromTheLastOne(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, 1200)
	_, head := r.Head()
	whole, err := r.Lines(t.Context(), "", head)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := r.Steps(t.Context(), "", head, 250)
	if err != nil || len(steps) != 5 || steps[4] != head {
		t.Fatalf("steps are %v, %v", steps, err)
	}
	sums, at := map[string]Lines{}, ""
	for _, next := range steps {
		part, err := r.Lines(t.Context(), at, next)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range part {
			s := sums[l.Name]
			sums[l.Name] = Lines{l.Name, l.Email, s.Additions + l.Additions, s.Deletions + l.Deletions}
		}
		at = next
	}
	for _, l := range whole {
		if sums[l.Name] != l || l.Additions == 0 {
			t.Errorf("%s: %+v in steps, %+v at once", l.Name, sums[l.Name], l)
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add(":100644 100644 a b M\x00f\x00\x00diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add(":100644 120000 a b T\x00f\x00\x00diff --git a/f b/f\n@@ -1 +0,0 @@\n-a\ndiff --git a/f b/f\n@@ -0,0 +1 @@\n+q\n")
	f.Add(":000000 100644 a b R100\x00f\x00g\x00\x00diff --git a/f b/g\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		d := &diffReader{}
		_ = d.read(bufio.NewReaderSize(strings.NewReader(text), 64)) // whatever it returns, it must end
		d.close()
		for _, file := range d.files {
			if len(file.Text) > 2*maxDiffFile {
				t.Errorf("%d bytes of one file", len(file.Text))
			}
		}
	})
}

func TestTooOldAndTooManyArchivesGo(t *testing.T) {
	t.Parallel()
	r := repo(t)
	commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("a\n")})
	_, head := r.Head()
	var archives []Archive
	for i := range 4 {
		a := Archive{Commit: head, Stem: fmt.Sprintf("s%d", i), Format: Tar}
		var b strings.Builder
		if err := r.WriteArchive(t.Context(), a, &b); err != nil {
			t.Fatal(err)
		}
		archives = append(archives, a)
	}
	left := newArchiveWriter(r.archives(), "left")
	kept := func() (all string) {
		for i, a := range archives {
			if file, ok := r.OpenArchive(a); ok {
				file.Close()
				all += fmt.Sprint(i)
			}
			time.Sleep(2 * time.Millisecond) // so that the files differ in age
		}
		return all
	}
	if got := kept(); got != "0123" {
		t.Fatalf("kept are %s", got)
	}
	folder := strings.TrimSuffix(r.archives(), "/"+strings.TrimSuffix(r.dir[strings.LastIndex(r.dir, "/")+1:], ".git"))
	makeRoom(folder, 25000, time.Now()) // each takes 10240 bytes
	if got := kept(); got != "23" {
		t.Errorf("kept are %s", got)
	}
	makeRoom(folder, 25000, time.Now().Add(2*archiveStale))
	if got := kept(); got != "23" {
		t.Errorf("kept are %s", got)
	}
	if _, ok := openArchiveFile(left.file.Name()); ok {
		t.Error("what a killed server has begun is still there")
	}
	if err := r.Delete(); err != nil {
		t.Fatal(err)
	}
	if got := kept(); got != "" {
		t.Errorf("of a repository that is gone, %s are kept", got)
	}
}
