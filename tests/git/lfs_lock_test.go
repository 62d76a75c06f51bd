package git

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// lockTest is a project in which Ann, a maintainer, and Ben, a developer, lock files.
type lockTest struct {
	h        *harness.H
	ann, ben *harness.Caller
	p, other model.Project
	lock     string // the id of Ann's lock
}

func (l *lockTest) post(t *testing.T, c *harness.Caller, rest, body string) reply {
	t.Helper()
	return lfs(t, l.h, c.Token, "POST", l.p.FullPath, "info/lfs/locks"+rest, body)
}

func (l *lockTest) get(t *testing.T, query string) reply {
	t.Helper()
	return lfs(t, l.h, l.ann.Token, "GET", l.p.FullPath, "info/lfs/locks"+query, "")
}

func TestLocksOverHTTP(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	group := h.Group()
	l := lockTest{
		h: h, ann: h.Member(group, model.Maintainer), ben: h.Member(group, model.Developer),
		p: h.Project(group.ID), other: h.Project(group.ID),
	}
	l.aFileIsLockedOnce(t)
	l.locksAreListedInPages(t)
	l.locksAreFilteredByPathAndID(t)
	l.locksAreVerifiedBySide(t)
	l.onlyTheOwnerUnlocks(t)
}

// aFileIsLockedOnce locks one file as Ann and four as Ben.
func (l *lockTest) aFileIsLockedOnce(t *testing.T) {
	t.Helper()
	first := l.post(t, l.ann, "", `{"path":"a/b.bin","ref":{"name":"refs/heads/main"}}`)
	var made struct {
		Lock struct {
			ID, Path string
			LockedAt time.Time `json:"locked_at"`
			Owner    struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(first.body), &made); err != nil || first.status != 201 ||
		made.Lock.Path != "a/b.bin" || made.Lock.Owner.Name != l.ann.User.Name || made.Lock.LockedAt.IsZero() {
		t.Fatalf("%d %s %v", first.status, first.body, err)
	}
	l.lock = made.Lock.ID
	if again := l.post(t, l.ben, "", `{"path":"a/b.bin"}`); again.status != 409 ||
		!strings.Contains(again.body, `"id":"`+l.lock+`"`) || !strings.Contains(again.body, `"message":`) {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	for _, path := range []string{"", "/a", "../a", "a/../b", ".git/config", "a\\u0000", strings.Repeat("x", 1025)} {
		checkRefusal(t, "path "+path, l.post(t, l.ann, "", `{"path":"`+path+`"}`), 422, "path")
	}
	for i := range 4 {
		if got := l.post(t, l.ben, "", fmt.Sprintf(`{"path":"file%d"}`, i)); got.status != 201 {
			t.Fatal(got.body)
		}
	}
}

func (l *lockTest) locksAreListedInPages(t *testing.T) {
	t.Helper()
	var page struct {
		Locks      []struct{ ID, Path string }
		NextCursor string `json:"next_cursor"`
	}
	seen := 0
	for cursor := ""; ; cursor = "&cursor=" + page.NextCursor {
		page.NextCursor, page.Locks = "", nil
		if err := json.Unmarshal([]byte(l.get(t, "?limit=2"+cursor).body), &page); err != nil {
			t.Fatal(err)
		}
		seen += len(page.Locks)
		if page.NextCursor == "" {
			break
		}
	}
	if seen != 5 {
		t.Errorf("%d locks, want 5", seen)
	}
}

func (l *lockTest) locksAreFilteredByPathAndID(t *testing.T) {
	t.Helper()
	for query, path := range map[string]string{"?path=file2": "file2", "?id=" + l.lock: "a/b.bin"} {
		if got := l.get(t, query); strings.Count(got.body, `"id"`) != 1 || !strings.Contains(got.body, path) {
			t.Errorf("%s: %s, want only the lock of %s", query, got.body, path)
		}
	}
	if got := l.get(t, "?path=none"); !strings.Contains(got.body, `"locks":[]`) {
		t.Errorf("none: %s", got.body)
	}
	for _, query := range []string{"?id=x", "?cursor=-1", "?limit=x", "?path=%00", "?path=%ff"} {
		checkRefusal(t, query, l.get(t, query), 422, "must be")
	}
}

func (l *lockTest) locksAreVerifiedBySide(t *testing.T) {
	t.Helper()
	sides := l.post(t, l.ann, "/verify", `{"ref":{"name":"refs/heads/main"}}`)
	if ours, theirs, _ := strings.Cut(sides.body, `"theirs"`); sides.status != 200 ||
		strings.Count(ours, `"id"`) != 1 || strings.Count(theirs, `"id"`) != 4 {
		t.Errorf("sides: %d %s", sides.status, sides.body)
	}
	if cut := l.post(t, l.ann, "/verify", `{"limit":1}`); !strings.Contains(cut.body, `"next_cursor":"`+l.lock+`"`) ||
		!strings.Contains(cut.body, `"theirs":[]`) {
		t.Errorf("cut: %s", cut.body)
	}
}

func (l *lockTest) onlyTheOwnerUnlocks(t *testing.T) {
	t.Helper()
	unlock := "/" + l.lock + "/unlock"
	checkRefusal(t, "another's", l.post(t, l.ben, unlock, `{}`), 403, "locked by")
	checkRefusal(t, "by force", l.post(t, l.ben, unlock, `{"force":true}`), 403, "Only maintainers")
	for _, id := range []string{"x", "999999", "99999999999999999999"} {
		checkRefusal(t, "lock "+id, l.post(t, l.ann, "/"+id+"/unlock", `{}`), 404, "404")
	}
	elsewhere := lfs(t, l.h, l.ann.Token, "POST", l.other.FullPath, "info/lfs/locks"+unlock, `{}`)
	checkRefusal(t, "of another project", elsewhere, 404, "404")
	if got := l.post(t, l.ann, unlock, `{}`); got.status != 200 || !strings.Contains(got.body, "a/b.bin") {
		t.Errorf("unlock: %d %s", got.status, got.body)
	}
	checkRefusal(t, "twice", l.post(t, l.ann, unlock, `{}`), 404, "404")
}

func TestOnlyOneOfManyConcurrentCallersGetsTheLock(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	var wg sync.WaitGroup
	results := make(chan int, 8)
	for range 8 {
		wg.Go(func() {
			results <- lfs(t, h, ann.Token, "POST", p.FullPath, "info/lfs/locks", `{"path":"a"}`).status
		})
	}
	wg.Wait()
	close(results)
	count := map[int]int{}
	for status := range results {
		count[status]++
	}
	if count[201] != 1 || count[409] != 7 {
		t.Errorf("%v", count)
	}
}
