package git

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// rooted makes a commit with a tree.
func rooted(t testing.TB, r Repo, tree string) string {
	t.Helper()
	who := Person{Name: "Ann", Email: "ann@example.com", When: time.Unix(1700000000, 0).UTC()}
	id, err := r.WriteCommit(t.Context(), NewCommit{Tree: tree, Author: who, Committer: who, Message: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func object(t testing.TB, r Repo, kind, data string) string {
	t.Helper()
	id, err := r.writeObject(kind, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// treeLine returns an entry of a tree as it is stored.
func treeLine(mode, name, id string) string {
	raw := make([]byte, 20)
	for i := range raw {
		if _, err := fmt.Sscanf(id[2*i:2*i+2], "%02x", &raw[i]); err != nil {
			panic(err)
		}
	}
	return mode + " " + name + "\x00" + string(raw)
}

func TestATreeOfAHundredThousandEntriesIsListedInPages(t *testing.T) {
	t.Parallel()
	r := repo(t)
	blob := object(t, r, "blob", "x")
	var b strings.Builder
	for i := range 100000 {
		b.WriteString(treeLine("100644", fmt.Sprintf("file%06d", i), blob))
	}
	commit := rooted(t, r, object(t, r, "tree", b.String()))
	for _, recursive := range []bool{false, true} {
		page, err := r.List(t.Context(), commit, ListOptions{Recursive: recursive, Keyset: true, Limit: 100, Token: blob + ".99850"})
		if err != nil || len(page.Entries) != 100 || page.Entries[0].Name != "file099850" || page.Token != blob+".99950" {
			t.Fatalf("%v: %d entries, token %s, %v", recursive, len(page.Entries), page.Token, err)
		}
		page, err = r.List(t.Context(), commit, ListOptions{Recursive: recursive, Keyset: true, Limit: 100, Token: page.Token})
		if err != nil || len(page.Entries) != 50 || page.More || page.Total != 100000 || !page.Counted {
			t.Fatalf("%v: %d entries, %+v, %v", recursive, len(page.Entries), page.Total, err)
		}
	}
}

// A few small trees that contain each other unfold to more entries than anyone could list. One page must still work.
func TestATreeThatUnfoldsForeverIsBounded(t *testing.T) {
	t.Parallel()
	r := repo(t)
	wide, deep := object(t, r, "blob", "x"), object(t, r, "blob", "x")
	wide = object(t, r, "tree", treeLine("100644", "x", wide))
	deep = object(t, r, "tree", treeLine("100644", "x", deep))
	for range 12 {
		var b strings.Builder
		for i := range 10 {
			b.WriteString(treeLine("40000", fmt.Sprintf("t%d", i), wide))
		}
		wide = object(t, r, "tree", b.String())
	}
	for range 2 * maxDepth {
		deep = object(t, r, "tree", treeLine("40000", "t", deep))
	}
	bomb, well := rooted(t, r, wide), rooted(t, r, deep)
	if page, err := r.List(t.Context(), bomb, ListOptions{Recursive: true, Limit: 100, Offset: 1000}); err != nil ||
		len(page.Entries) != 100 || page.Counted {
		t.Errorf("%d entries, %v", len(page.Entries), err)
	}
	if _, err := r.List(
		t.Context(), bomb, ListOptions{Recursive: true, Keyset: true, Limit: 100, Token: strings.Repeat("a", 40)},
	); !errors.Is(err, ErrTooLarge) {
		t.Errorf("looking for what is not there: %v", err)
	}
	if _, err := r.List(t.Context(), well, ListOptions{Recursive: true, Limit: 100, Offset: 2 * maxDepth}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a deep one: %v", err)
	}
}
