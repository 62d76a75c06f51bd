package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/harness"
)

func TestContextCommitsAreAddedListedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	older := w.commit("main", "Older", map[string]string{"x.txt": "x\n"})
	newer := w.commit("main", "Newer", map[string]string{"y.txt": "y\n"})
	w.commit("feature", "Add a", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("feature", "Add a")
	path := w.at(mr.IID, "/context_commits")
	expect(t, w.reporter.Send("GET", path, ""), 200, "[]")
	type row struct{ ID, Title string }
	made := read[[]row](t, w.developer.JSON("POST", path, fmt.Sprintf(`{"commits":[%q,%q,%q]}`, older, newer[:10], older)), 201)
	if len(made) != 2 || made[0].ID != older || made[1].ID != newer || made[1].Title != "Newer" {
		t.Errorf("%+v", made)
	}
	all := w.reporter.Send("GET", path, "")
	if rows := read[[]row](t, all, 200); len(rows) != 2 || all.Header.Get("X-Total") != "2" {
		t.Errorf("%s", all.Body)
	}
	if rows := read[[]row](t, w.reporter.Send("GET", path+"?per_page=1&page=2", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, w.developer.JSON("POST", path, fmt.Sprintf(`{"commits":[%q]}`, newer)), 400,
		`{"message":"Context commits: `+newer+` are already created"}`)
	bad := `{"message":"One or more context commits' sha is not valid."}`
	for _, id := range []string{strings.Repeat("0", 40), "main", "feature", older[:6], "HEAD"} {
		expect(t, w.developer.JSON("POST", path, fmt.Sprintf(`{"commits":[%q]}`, id)), 400, bad)
		expect(t, w.developer.JSON("DELETE", path, fmt.Sprintf(`{"commits":[%q]}`, id)), 400, bad)
	}
	expect(t, w.developer.JSON("POST", path, `{}`), 400, `{"error":"commits is missing"}`)
	expect(t, w.developer.JSON("POST", path, `{"commits":["`+strings.Repeat(older+`","`, 20)+older+`"]}`), 400, "")
	expect(t, w.reporter.JSON("POST", path, fmt.Sprintf(`{"commits":[%q]}`, older)), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.reporter.JSON("DELETE", path, fmt.Sprintf(`{"commits":[%q]}`, older)), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.NewUser().JSON("POST", path, fmt.Sprintf(`{"commits":[%q]}`, older)), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().JSON("POST", path, fmt.Sprintf(`{"commits":[%q]}`, older)), 401, "")
	expect(t, w.developer.Send("GET", w.at(99, "/context_commits"), ""), 404, "")
	expect(t, w.developer.Send("DELETE", path+"?commits[]="+older, ""), 204, "")
	if rows := read[[]row](t, w.reporter.Send("GET", path, ""), 200); len(rows) != 1 || rows[0].ID != newer {
		t.Errorf("%+v", rows)
	}
	expect(t, w.developer.JSON("DELETE", path, fmt.Sprintf(`{"commits":[%q]}`, older)), 400, bad)
	expect(t, w.developer.JSON("DELETE", path, fmt.Sprintf(`{"commits":[%q]}`, newer)), 204, "")
	expect(t, w.reporter.Send("GET", path, ""), 200, "[]")
}
