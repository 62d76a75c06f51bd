package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// removeAll deletes refs as a push does, and returns why some were not deleted.
func removeAll(t *testing.T, r Repo, refs []Ref) []string {
	t.Helper()
	p := &Push{}
	for _, ref := range refs {
		p.Commands = append(p.Commands, Command{Ref: ref.Name, Old: ref.ID, New: Zero})
	}
	l, err := r.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if err := l.Advance(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	var refused []string
	for _, c := range p.Commands {
		if c.Refused != "" {
			refused = append(refused, c.Ref)
		}
	}
	return refused
}

// scatteredRefs makes branches and tags that are packed, loose or both, in folders and not.
func scatteredRefs(t *testing.T) (r Repo, gone []Ref) {
	t.Helper()
	r = repo(t)
	first := commit(t, r, file("a", "1"))
	second := commit(t, r, file("b", "2"))
	for i := range 12 {
		gone = append(gone, Ref{fmt.Sprintf("refs/heads/packed%d", i), first}, Ref{fmt.Sprintf("refs/heads/both/%d/x", i), first})
		move(t, r, fmt.Sprintf("refs/heads/stays%d", i), first)
	}
	for _, ref := range gone {
		move(t, r, ref.Name, first)
	}
	for i := range 4 {
		ask(t, r, "-c", "user.name=a", "-c", "user.email=a@x", "tag", "-a", "-m", "x", fmt.Sprintf("v%d", i), first)
	}
	ask(t, r, "pack-refs", "--all", "--prune")
	for i := range gone {
		if strings.Contains(gone[i].Name, "both") {
			move(t, r, gone[i].Name, second)
			gone[i].ID = second
		}
	}
	for i := range 5 {
		loose := Ref{fmt.Sprintf("refs/heads/loose/%d", i), second}
		move(t, r, loose.Name, second)
		gone = append(gone, loose)
	}
	for i := range 2 {
		name := fmt.Sprintf("refs/tags/v%d", i)
		gone = append(gone, Ref{name, ask(t, r, "rev-parse", name)})
	}
	return r, gone
}

const stayed = "heads/main heads/stays0 heads/stays1 heads/stays10 heads/stays11 heads/stays2 heads/stays3 heads/stays4 " +
	"heads/stays5 heads/stays6 heads/stays7 heads/stays8 heads/stays9 tags/v2 tags/v3"

func TestManyRefsAreDeletedAsGitDeletesThem(t *testing.T) {
	t.Parallel()
	r, gone := scatteredRefs(t)
	inode, err := os.Stat(filepath.Join(r.dir, "packed-refs"))
	if err != nil {
		t.Fatal(err)
	}
	if refused := removeAll(t, r, gone); len(refused) > 0 {
		t.Errorf("refused are %v", refused)
	}
	left := func() string {
		return strings.ReplaceAll(ask(t, r, "for-each-ref", "--format=%(refname:lstrip=1)"), "\n", " ")
	}
	if got := left(); got != stayed {
		t.Errorf("left are %s", got)
	}
	if now, err := os.Stat(filepath.Join(r.dir, "packed-refs")); err != nil || os.SameFile(inode, now) {
		t.Error("the packed refs are in the old file", err)
	}
	for _, name := range []string{packedLock, packedDraft, "refs/heads/both", "refs/heads/loose"} {
		if _, err := os.Lstat(filepath.Join(r.dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	if got := ask(t, r, "for-each-ref", "--format=%(*objecttype)", "refs/tags/"); got != "commit\ncommit" {
		t.Errorf("the tags that stay are of %q", got)
	}
	if got := ask(t, r, "fsck", "--no-dangling"); got != "" {
		t.Error(got)
	}
	move(t, r, "refs/heads/both", gone[0].ID) // the name is free
	ask(t, r, "pack-refs", "--all")
	if got := left(); got != "heads/both "+stayed {
		t.Errorf("later left are %s", got)
	}
}

// Refs that cannot be deleted stay, and the others are deleted.
func TestOfManyRefsThoseThatAreNotAsExpectedStay(t *testing.T) {
	t.Parallel()
	r, gone := scatteredRefs(t)
	gone[3].ID = gone[0].ID // it was moved
	locked := filepath.Join(r.dir, gone[len(gone)-4].Name+".lock")
	if err := os.WriteFile(locked, nil, 0o600); err != nil { // a git process is about to change it
		t.Fatal(err)
	}
	gone = append(gone, Ref{"refs/heads/none", gone[0].ID})
	refused := removeAll(t, r, gone)
	if want := []string{gone[3].Name, gone[len(gone)-5].Name, "refs/heads/none"}; strings.Join(refused, " ") != strings.Join(want, " ") {
		t.Errorf("refused are %v, want %v", refused, want)
	}
	if err := os.Remove(locked); err != nil {
		t.Fatal(err)
	}
	if refs, err := r.Refs("refs/"); err != nil || len(refs) != len(strings.Fields(stayed))+2 {
		t.Errorf("%d are left, %v", len(refs), err)
	}
}

// A reader sees all packed refs or none while they are deleted.
func TestPackedRefsAreDeletedAllAtOnce(t *testing.T) {
	t.Parallel()
	r := repo(t)
	id := commit(t, r, file("a", "1"))
	var gone []Ref
	var lines strings.Builder
	lines.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for i := range 3000 {
		gone = append(gone, Ref{fmt.Sprintf("refs/heads/b%04d", i), id})
		fmt.Fprintf(&lines, "%s %s\n", id, gone[i].Name)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "packed-refs"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	seen := map[int]bool{}
	var wait sync.WaitGroup
	wait.Go(func() {
		for ctx.Err() == nil {
			refs, err := r.Refs("refs/heads/")
			if err != nil {
				t.Error(err)
			}
			seen[len(refs)] = true
		}
	})
	refused := removeAll(t, r, gone)
	stop()
	wait.Wait()
	delete(seen, 3001)
	delete(seen, 1)
	if len(refused) > 0 || len(seen) > 0 {
		t.Errorf("%d are refused; so many were seen: %v", len(refused), seen)
	}
	if refs, err := r.Refs("refs/heads/"); err != nil || len(refs) != 1 {
		t.Errorf("%d are left, %v", len(refs), err)
	}
}

// A git that was killed while it packed refs leaves a file that stops every other git from packing refs.
func TestWhatAKilledGitHasLeftOfPackedRefsDoesNotLast(t *testing.T) {
	t.Parallel()
	r, gone := scatteredRefs(t)
	old := time.Now().Add(-2 * staleAfter)
	for _, name := range []string{"packed-refs.new", packedLock} {
		place := filepath.Join(r.dir, name)
		if err := os.WriteFile(place, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(place, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if refused := removeAll(t, r, gone[:fewRemoved-1]); len(refused) > 0 { // by git
		t.Errorf("refused are %v", refused)
	}
	if refused := removeAll(t, r, gone[fewRemoved-1:]); len(refused) > 0 {
		t.Errorf("refused are %v", refused)
	}
}

// A killed server leaves its lock of the packed refs: the next server does not wait for it. The lock of a git that may
// be running counts, and nothing is deleted meanwhile.
func TestTheLockOfPackedRefsHoldsAsLongAsSomebodyMayHaveIt(t *testing.T) {
	t.Parallel()
	r, gone := scatteredRefs(t)
	lock := filepath.Join(r.dir, packedLock)
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if refused := removeAll(t, r, gone); len(refused) != len(gone) {
		t.Errorf("%d of %d are refused", len(refused), len(gone))
	}
	if refs, err := r.Refs("refs/"); err != nil || len(refs) != len(gone)+len(strings.Fields(stayed)) {
		t.Errorf("%d are left, %v", len(refs), err)
	}
	if err := os.WriteFile(lock, []byte(packedOurs), 0o600); err != nil {
		t.Fatal(err)
	}
	if refused := removeAll(t, r, gone); len(refused) > 0 {
		t.Errorf("refused are %v", refused)
	}
	if refs, err := r.Refs("refs/"); err != nil || len(refs) != len(strings.Fields(stayed)) {
		t.Errorf("%d are left, %v", len(refs), err)
	}
}
