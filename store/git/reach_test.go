package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// move sets a ref, or deletes it for Zero.
func move(t testing.TB, r Repo, ref, id string) {
	t.Helper()
	old, err := r.Ref(ref)
	if err != nil {
		old = Zero
	}
	push := &Push{Commands: []Command{{Ref: ref, Old: old, New: id}}}
	if err := r.Update(t.Context(), push); err != nil || push.Commands[0].Refused != "" {
		t.Fatal(err, push.Commands[0].Refused)
	}
}

func file(path, text string) Change {
	return Change{Action: ActionCreate, Path: path, Content: []byte(text)}
}

// seen returns which of some commits and blobs can be read by their ids.
func seen(t testing.TB, r Repo, ids map[string]string) string {
	t.Helper()
	var found []string
	for _, name := range []string{"first", "second", "topic", "old", "new", "secret", "tagged"} {
		id, ok := ids[name]
		if !ok {
			continue
		}
		_, err := r.Resolve(t.Context(), id)
		if errors.Is(err, ErrNotFound) {
			_, err = r.Blob(t.Context(), id)
		}
		if err == nil {
			found = append(found, name)
		} else if !errors.Is(err, ErrNotFound) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return strings.Join(found, " ")
}

// scattered makes an old and a new version of a file, a branch with a secret, and a tag of a blob.
func scattered(t testing.TB) (Repo, map[string]string) {
	t.Helper()
	r := repo(t)
	ids := map[string]string{}
	ids["first"] = commit(t, r, file("a", "old\n"))
	ids["old"] = ask(t, r, "rev-parse", "main:a")
	ids["second"] = commit(t, r, Change{Action: ActionUpdate, Path: "a", Content: []byte("new\n")})
	ids["new"] = ask(t, r, "rev-parse", "main:a")
	ids["topic"] = commit(t, r, file("secret", "a secret\n"))
	ids["secret"] = ask(t, r, "rev-parse", "main:secret")
	move(t, r, "refs/heads/topic", ids["topic"])
	move(t, r, "refs/heads/main", ids["second"])
	ids["tagged"] = object(t, r, "blob", "only tagged\n")
	move(t, r, "refs/tags/key", ids["tagged"])
	return r, ids
}

func TestWhatNoRefLeadsToIsNotThere(t *testing.T) {
	t.Parallel()
	for _, packed := range []bool{false, true} {
		r, ids := scattered(t)
		if packed {
			ask(t, r, "repack", "-adq", "--write-bitmap-index")
		}
		steps := []struct{ ref, id, want string }{
			{"refs/heads/topic", ids["topic"], "first second topic old new secret tagged"},
			{"refs/heads/topic", Zero, "first second old new tagged"},
			{"refs/heads/other", ids["topic"], "first second topic old new secret tagged"},
			{"refs/heads/other", ids["first"], "first second old new tagged"},
			{"refs/heads/main", ids["first"], "first old tagged"},
			{"refs/tags/key", Zero, "first old"},
			{"refs/heads/main", ids["topic"], "first second topic old new secret"},
		}
		for _, step := range steps {
			move(t, r, step.ref, step.id)
			for range 2 { // the second answer comes from the cache
				if got := seen(t, r, ids); got != step.want {
					t.Errorf("packed %t, %s at %s: one sees %q, want %q", packed, step.ref, step.id, got, step.want)
				}
			}
		}
	}
}

func TestARevisionOfAnUnreachableCommitIsNotThereEither(t *testing.T) {
	t.Parallel()
	r, ids := scattered(t)
	move(t, r, "refs/heads/topic", Zero)
	for _, rev := range []string{ids["topic"][:10], ids["topic"] + "~0", ids["topic"] + "^0"} {
		if got, err := r.Resolve(t.Context(), rev); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s is %s, %v", rev, got, err)
		}
	}
	if got, err := r.Resolve(t.Context(), ids["topic"]+"~1"); err != nil || got != ids["second"] {
		t.Errorf("what is behind it and on main: %s, %v", got, err)
	}
}

func TestABlobThatOnlyAMergeHasIsThere(t *testing.T) {
	t.Parallel()
	r, ids := scattered(t)
	blob := object(t, r, "blob", "resolved\n")
	tree := object(t, r, "tree", treeLine("100644", "a", blob))
	merge := ask(
		t, r, "-c", "user.name=a", "-c", "user.email=a@x", "commit-tree", tree, "-p", ids["second"], "-p", ids["topic"],
		"-m", "merge",
	)
	move(t, r, "refs/heads/topic", merge)
	if _, err := r.Blob(t.Context(), blob); err != nil {
		t.Error(err)
	}
}

func TestACopyHasOnlyWhatRefsLeadTo(t *testing.T) {
	t.Parallel()
	r, ids := scattered(t)
	ask(t, r, "repack", "-adq")
	shared := r.all.Project("default", 8)
	if err := errors.Join(shared.Create("main"), shared.CopyAll(t.Context(), r)); err != nil {
		t.Fatal(err)
	}
	if links(t, shared) != 2 {
		t.Error("the copy of a tidy repository shares no files")
	}
	move(t, r, "refs/heads/topic", Zero)
	left := r.all.Project("default", 9)
	if err := errors.Join(left.Create("main"), left.CopyAll(t.Context(), r)); err != nil {
		t.Fatal(err)
	}
	if got := seen(t, left, ids); got != "first second old new tagged" {
		t.Errorf("one sees %q", got)
	}
	all := ask(t, left, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	for _, id := range []string{ids["topic"], ids["secret"]} {
		if strings.Contains(all, id) {
			t.Errorf("%s came along", id)
		}
	}
	if links(t, r) != 2 {
		t.Error("the source or the first copy has lost its file")
	}
	ask(t, left, "fsck", "--full", "--strict")
}

// links returns how many repositories share the single pack of a repository.
func links(t testing.TB, r Repo) uint64 {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	info, err := os.Stat(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	return uint64(info.Sys().(*syscall.Stat_t).Nlink) //nolint:unconvert // another type on other systems
}
