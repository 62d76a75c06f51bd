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

func TestLocksOverHTTP(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	group := h.Group()
	ann, ben := h.Member(group, model.Maintainer), h.Member(group, model.Developer)
	p, other := h.Project(group.ID), h.Project(group.ID)
	post := func(c *harness.Caller, rest, body string) reply {
		return lfs(t, h, c.Token, "POST", p.FullPath, "info/lfs/locks"+rest, body)
	}
	first := post(ann, "", `{"path":"a/b.bin","ref":{"name":"refs/heads/main"}}`)
	var made struct {
		Lock struct {
			ID, Path string
			LockedAt time.Time `json:"locked_at"`
			Owner    struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(first.body), &made); err != nil || first.status != 201 ||
		made.Lock.Path != "a/b.bin" || made.Lock.Owner.Name != ann.User.Name || made.Lock.LockedAt.IsZero() {
		t.Fatalf("%d %s %v", first.status, first.body, err)
	}
	if again := post(ben, "", `{"path":"a/b.bin"}`); again.status != 409 ||
		!strings.Contains(again.body, `"id":"`+made.Lock.ID+`"`) || !strings.Contains(again.body, `"message":`) {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	for _, path := range []string{"", "/a", "../a", "a/../b", ".git/config", "a\\u0000", strings.Repeat("x", 1025)} {
		checkRefusal(t, "path "+path, post(ann, "", `{"path":"`+path+`"}`), 422, "path")
	}
	for i := range 4 {
		if got := post(ben, "", fmt.Sprintf(`{"path":"file%d"}`, i)); got.status != 201 {
			t.Fatal(got.body)
		}
	}
	get := func(query string) reply { return lfs(t, h, ann.Token, "GET", p.FullPath, "info/lfs/locks"+query, "") }
	var page struct {
		Locks      []struct{ ID, Path string }
		NextCursor string `json:"next_cursor"`
	}
	seen := 0
	for cursor := ""; ; cursor = "&cursor=" + page.NextCursor {
		page.NextCursor, page.Locks = "", nil
		if err := json.Unmarshal([]byte(get("?limit=2"+cursor).body), &page); err != nil {
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
	if got := get("?path=file2"); strings.Count(got.body, `"id"`) != 1 || !strings.Contains(got.body, "file2") {
		t.Errorf("by path: %s", got.body)
	}
	if got := get("?id=" + made.Lock.ID); strings.Count(got.body, `"id"`) != 1 || !strings.Contains(got.body, "a/b.bin") {
		t.Errorf("by id: %s", got.body)
	}
	if got := get("?path=none"); !strings.Contains(got.body, `"locks":[]`) {
		t.Errorf("none: %s", got.body)
	}
	for _, query := range []string{"?id=x", "?cursor=-1", "?limit=x", "?path=%00", "?path=%ff"} {
		checkRefusal(t, query, get(query), 422, "must be")
	}
	sides := post(ann, "/verify", `{"ref":{"name":"refs/heads/main"}}`)
	if ours, theirs, _ := strings.Cut(sides.body, `"theirs"`); sides.status != 200 ||
		strings.Count(ours, `"id"`) != 1 || strings.Count(theirs, `"id"`) != 4 {
		t.Errorf("sides: %d %s", sides.status, sides.body)
	}
	if cut := post(ann, "/verify", `{"limit":1}`); !strings.Contains(cut.body, `"next_cursor":"`+made.Lock.ID+`"`) ||
		!strings.Contains(cut.body, `"theirs":[]`) {
		t.Errorf("cut: %s", cut.body)
	}
	checkRefusal(t, "another's", post(ben, "/"+made.Lock.ID+"/unlock", `{}`), 403, "locked by")
	checkRefusal(t, "by force", post(ben, "/"+made.Lock.ID+"/unlock", `{"force":true}`), 403, "Only maintainers")
	for _, id := range []string{"x", "999999", "99999999999999999999"} {
		checkRefusal(t, "lock "+id, post(ann, "/"+id+"/unlock", `{}`), 404, "404")
	}
	checkRefusal(
		t,
		"of another project",
		lfs(t, h, ann.Token, "POST", other.FullPath, "info/lfs/locks/"+made.Lock.ID+"/unlock", `{}`),
		404,
		"404",
	)
	if got := post(ann, "/"+made.Lock.ID+"/unlock", `{}`); got.status != 200 || !strings.Contains(got.body, "a/b.bin") {
		t.Errorf("unlock: %d %s", got.status, got.body)
	}
	checkRefusal(t, "twice", post(ann, "/"+made.Lock.ID+"/unlock", `{}`), 404, "404")
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
