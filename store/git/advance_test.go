package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestABranchMovesAsGitMovesIt(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("a")})
	second := commit(t, r, Change{Action: ActionCreate, Path: "b", Content: []byte("b")})
	move := func(ref, from, to, want string) {
		t.Helper()
		l, err := r.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer l.Release()
		p := &Push{Commands: []Command{{Ref: ref, Old: from, New: to}}}
		if err := l.Advance(t.Context(), p); err != nil || p.Commands[0].Refused != want {
			t.Errorf("%s from %s to %s: %v, %q", ref, from, to, err, p.Commands[0].Refused)
		}
		for _, name := range []string{refDraft, ref + ".lock"} {
			if _, err := os.Lstat(filepath.Join(r.dir, name)); !os.IsNotExist(err) {
				t.Errorf("%s is left: %v", name, err)
			}
		}
	}
	at := func(ref, want string) {
		t.Helper()
		if now, err := r.Ref(ref); err != nil || now != want || ask(t, r, "rev-parse", ref) != want {
			t.Errorf("%s is at %s, %v", ref, now, err)
		}
	}
	move("refs/heads/main", second, first, "")
	at("refs/heads/main", first)
	move("refs/heads/main", second, first, NotUpdated) // it was moved already
	at("refs/heads/main", first)
	ask(t, r, "pack-refs", "--all", "--prune")
	move("refs/heads/main", first, second, "")
	at("refs/heads/main", second)
	blob := ask(t, r, "rev-parse", "main:a")
	move("refs/heads/main", second, blob, NotUpdated)
	at("refs/heads/main", second)
	move("refs/heads/new/one", Zero, first, "")
	at("refs/heads/new/one", first)
	move("refs/heads/new", Zero, first, NotUpdated)
	if err := os.WriteFile(filepath.Join(r.dir, refDraft), []byte("left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	move("refs/heads/main", second, first, "")
	at("refs/heads/main", first)
	if got := ask(t, r, "fsck", "--no-dangling"); got != "" {
		t.Error(got)
	}
}
