package api

import (
	"fmt"
	"net/url"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// clone clones a project over HTTP into a new folder.
func clone(t *testing.T, h *harness.H, by *harness.Caller, p model.Project) *history {
	t.Helper()
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User, u.Path = url.UserPassword("oauth2", by.Token), "/"+p.FullPath+".git"
	r := emptyHistory(t, p)
	r.run("remote", "add", "origin", u.String())
	r.run("fetch", "-q", "origin")
	return r
}

func TestClonesAndFetchesAreCountedByDay(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	p := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	developer, reporter := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Reporter)
	path := fmt.Sprintf("/projects/%d/statistics", p.ID)
	expect(t, developer.Send("GET", path, ""), 200, `{"fetches":{"total":0,"days":[]}}`)
	local := emptyHistory(t, p)
	local.commit("a.txt", "a", "Add a")
	local.push(h, developer, "main")
	expect(t, developer.Send("GET", path, ""), 200, `{"fetches":{"total":0,"days":[]}}`) // a push is no fetch
	copied := clone(t, h, reporter, p)
	copied.run("ls-remote", "origin")   // sends no commits
	copied.run("fetch", "-q", "origin") // neither does this: there is nothing new
	local.commit("b.txt", "b", "Add b") //
	local.push(h, developer, "main")    //
	copied.run("fetch", "-q", "origin") // the second fetch that sends commits
	date := func() string { return h.Store.Clock().Now().UTC().Format("2006-01-02") }
	first := date()
	expect(t, developer.Send("GET", path, ""), 200,
		fmt.Sprintf(`{"fetches":{"total":2,"days":[{"count":2,"date":%q}]}}`, first))
	forward(t, h, day)
	clone(t, h, developer, p)
	expect(t, developer.Send("GET", path, ""), 200,
		fmt.Sprintf(`{"fetches":{"total":3,"days":[{"count":1,"date":%q},{"count":2,"date":%q}]}}`, date(), first))
	second := date()
	forward(t, h, 29*day)
	expect(t, developer.Send("GET", path, ""), 200,
		fmt.Sprintf(`{"fetches":{"total":1,"days":[{"count":1,"date":%q}]}}`, second))
	expect(t, reporter.Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, developer.Send("GET", "/projects/999999/statistics", ""), 404, `{"message":"404 Project Not Found"}`)
}
