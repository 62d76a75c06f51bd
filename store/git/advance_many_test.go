package git

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// noLocks fails the test if a lock of a ref is left in a repository.
func noLocks(t *testing.T, r Repo) {
	t.Helper()
	err := filepath.WalkDir(r.dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestManyRefsChangeTogetherAsFewDo(t *testing.T) {
	t.Parallel()
	r := repo(t)
	first := commit(t, r, Change{Action: ActionCreate, Path: "a", Content: []byte("a")})
	second := commit(t, r, Change{Action: ActionCreate, Path: "b", Content: []byte("b")})
	const n = 3 * batchedRefs
	push := func(from, to string, caps map[string]bool, odd Command) *Push {
		t.Helper()
		p := &Push{caps: caps}
		for i := range n {
			p.Commands = append(p.Commands, Command{Ref: fmt.Sprintf("refs/heads/many/b%03d", i), Old: from, New: to})
		}
		p.Commands[n/2] = odd
		if err := r.Update(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		noLocks(t, r)
		return p
	}
	are := func(want string) {
		t.Helper()
		refs := ask(t, r, "for-each-ref", "--format=%(objectname)", "refs/heads/many/")
		if got := strings.Count(refs, want); got != n-1 {
			t.Errorf("%d of %d are at %s", got, n-1, want)
		}
	}
	colliding := Command{Ref: "refs/heads/main/b", Old: Zero, New: first}
	p := push(Zero, first, nil, colliding)
	for i, c := range p.Commands {
		if (c.Refused == NotUpdated) != (i == n/2) {
			t.Errorf("%s: %q", c.Ref, c.Refused)
		}
	}
	are(first)
	p = push(first, second, map[string]bool{"atomic": true}, colliding)
	if !p.Refuses() {
		t.Error("an atomic push with a name that collides is accepted")
	}
	are(first)
	p = push(first, second, map[string]bool{"atomic": true}, Command{Ref: "refs/heads/main", Old: second, New: first})
	if p.Refuses() {
		t.Errorf("%+v", p.Commands[:2])
	}
	are(second)
}
