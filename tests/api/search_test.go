package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// unlimitedSearch starts a service in which callers search as often as they want.
func unlimitedSearch(t *testing.T) *harness.H {
	t.Helper()
	return harness.New(t, func(c *config.Config) { c.LimitSearch = 0 })
}

// openGroup makes a group public.
func openGroup(g *model.Namespace) { g.Visibility = model.Public }

// results calls a search and returns the members of its results with the given name, or the status of a refusal.
func results(t *testing.T, c *harness.Caller, at, scope, text, name string, more ...string) string {
	t.Helper()
	a := c.Send("GET", at+"?scope="+scope+"&search="+url.QueryEscape(text)+strings.Join(more, ""), "")
	if a.Status != 200 {
		return fmt.Sprint(a.Status)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	found := make([]string, len(rows))
	for i, row := range rows {
		found[i] = fmt.Sprint(row[name])
	}
	if len(found) == 0 {
		return "none"
	}
	return strings.Join(found, ",")
}

// searched is a private project in a private group, in which everything that can be found has the word needle.
type searched struct {
	group    model.Namespace
	project  model.Project
	places   []string // the addresses of the three searches
	reporter *harness.Caller
}

func newSearched(t *testing.T, h *harness.H) searched {
	t.Helper()
	root := h.Root()
	s := searched{group: h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "acme", model.Private })}
	s.project = h.Project(s.group.ID, called("needlework", model.Private))
	s.places = []string{"/search", fmt.Sprintf("/groups/%d/search", s.group.ID), fmt.Sprintf("/projects/%d/search", s.project.ID)}
	at := fmt.Sprintf("/projects/%d", s.project.ID)
	for _, c := range []struct{ path, body string }{
		{at + "/repository/commits", `{"branch":"main","commit_message":"Add a NEEDLE","actions":[` +
			`{"action":"create","file_path":"src/a.go","content":"one\ntwo\nthree Needle\nfour\nfive\nsix\n"},` +
			`{"action":"create","file_path":"docs/needle.md","content":"# Title\n"}]}`},
		{at + "/issues", `{"title":"A needle","description":"x"}`},
		{at + "/issues", `{"title":"Secret","description":"Needle in hay","confidential":true}`},
		{at + "/milestones", `{"title":"Needle 1.0"}`},
		{at + "/issues/1/notes", `{"body":"a needle here"}`},
		{at + "/issues/1/notes", `{"body":"an internal needle","internal":true}`},
		{at + "/issues/2/notes", `{"body":"a needle in secret"}`},
		{at + "/wikis", `{"title":"Home","content":"find the needle"}`},
		{at + "/repository/branches?branch=topic&ref=main", ""},
		{at + "/repository/commits", `{"branch":"topic","commit_message":"More","actions":[` +
			`{"action":"create","file_path":"src/b.go","content":"needle\n"}]}`},
		{at + "/merge_requests", `{"title":"Thread a needle","source_branch":"topic","target_branch":"main"}`},
		{at + "/merge_requests/1/notes", `{"body":"needle of a merge request"}`},
		{fmt.Sprintf("/groups/%d/wikis", s.group.ID), `{"title":"Home","content":"the needle of the group"}`},
	} {
		if a := root.JSON("POST", c.path, c.body); a.Status != 201 {
			t.Fatalf("%s: %d %s", c.path, a.Status, a.Body)
		}
	}
	s.reporter = h.ProjectMember(s.project, model.Reporter)
	return s
}

func TestASearchFindsOnlyWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	s := newSearched(t, h)
	callers := newCallersByRole(h, s.project)
	for _, c := range []struct{ scope, member, guest, reporter string }{
		{"issues", "title", "A needle", "Secret,A needle"},
		{"merge_requests", "title", "none", "Thread a needle"},
		{"milestones", "title", "Needle 1.0", "Needle 1.0"},
		{"blobs", "path", "none", "docs/needle.md,src/a.go"},
		{"commits", "title", "none", "Add a NEEDLE"},
		{"notes", "body", "a needle here", "needle of a merge request,a needle in secret,an internal needle,a needle here"},
		{"wiki_blobs", "project_id", fmt.Sprint(s.project.ID), fmt.Sprint(s.project.ID)},
		{"projects", "path", "needlework", "needlework"},
	} {
		for i, at := range s.places {
			hidden, guest, reporter := []string{"none", "404", "404"}[i], c.guest, c.reporter
			switch {
			case c.scope == "projects" && i == 2:
				hidden, guest, reporter = "400", "400", "400"
			case c.scope == "wiki_blobs" && i < 2: // members of the project see the group, and so its wiki
				guest, reporter = "<nil>,"+guest, "<nil>,"+reporter
			}
			want := []string{"401", hidden, hidden, guest, reporter, reporter, reporter, reporter, reporter}
			for j, role := range everyRole {
				if got := results(t, callers[role], at, c.scope, "nEEdle", c.member); got != want[j] {
					t.Errorf("%s %s as %s: %s, want %s", at, c.scope, role, got, want[j])
				}
			}
		}
	}
}

func TestASearchInAPublicProjectFollowsItsFeatures(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	s := newSearched(t, h)
	root, outsider := h.Root(), h.NewUser()
	at := fmt.Sprintf("/projects/%d", s.project.ID)
	expect(t, root.JSON("PUT", fmt.Sprintf("/groups/%d", s.group.ID), `{"visibility":"public"}`), 200, "")
	expect(t, root.JSON("PUT", at, `{"visibility":"public"}`), 200, "")
	for scope, want := range map[string]string{
		"issues": "A needle", "merge_requests": "Thread a needle", "milestones": "Needle 1.0", "commits": "Add a NEEDLE",
	} {
		for _, place := range s.places {
			if got := results(t, outsider, place, scope, "needle", "title"); got != want {
				t.Errorf("%s %s: %s, want %s", place, scope, got, want)
			}
			expect(t, h.Anonymous().Send("GET", place+"?scope="+scope+"&search=needle", ""), 401, `{"message":"401 Unauthorized"}`)
		}
	}
	expect(t, root.JSON("PUT", at, `{"repository_access_level":"private","merge_requests_access_level":"private",`+
		`"issues_access_level":"private","wiki_access_level":"private"}`), 200, "")
	for _, place := range s.places {
		for _, scope := range []string{"issues", "merge_requests", "milestones", "commits", "blobs", "notes"} {
			if got := results(t, outsider, place, scope, "needle", "id"); got != "none" {
				t.Errorf("%s %s: %s", place, scope, got)
			}
		}
		if got := results(t, outsider, place, "wiki_blobs", "needle of the", "group_id"); place != s.places[2] &&
			got != fmt.Sprint(s.group.ID) {
			t.Errorf("%s: the wiki of the group is %s", place, got)
		}
		if got := results(t, outsider, place, "wiki_blobs", "find the", "path"); got != "none" {
			t.Errorf("%s: the wiki of the project is %s", place, got)
		}
	}
	expect(t, root.JSON("PUT", at, `{"repository_access_level":"disabled"}`), 200, "")
	if got := results(t, root, s.places[2], "blobs", "needle", "path"); got != "none" {
		t.Errorf("code that is off: %s", got)
	}
}

func TestASearchForFiles(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	s := newSearched(t, h)
	at := s.places[2]
	expect(t, s.reporter.Send("GET", at+"?scope=blobs&search=needle", ""), 200, fmt.Sprintf(`[{"basename":"docs/needle",`+
		`"data":"# Title\n","path":"docs/needle.md","filename":"docs/needle.md","id":null,"ref":"main","startline":1,"project_id":%d},`+
		`{"basename":"src/a","data":"one\ntwo\nthree Needle\nfour\nfive\n","path":"src/a.go","filename":"src/a.go","id":null,"ref":"main",`+
		`"startline":1,"project_id":%d}]`, s.project.ID, s.project.ID))
	for text, want := range map[string]string{
		"needle filename:A.GO": "src/a.go", "needle -extension:go": "docs/needle.md", "needle path:src": "src/a.go",
		"extension:g*": "src/a.go", "needle path:nowhere": "none", "nee.*": "none", "three needle": "src/a.go",
		"(((((((((((((((((((((((((x+x+)+y": "none", "-e": "none", "--help": "none", "%": "none",
	} {
		if got := results(t, s.reporter, at, "blobs", text, "path"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := results(t, s.reporter, at, "blobs", "needle", "path", "&ref=topic"); got != "docs/needle.md,src/a.go,src/b.go" {
		t.Error(got)
	}
	if got := results(t, s.reporter, at, "commits", "more", "title", "&ref=topic"); got != "More" {
		t.Error(got)
	}
	for _, scope := range []string{"blobs", "commits", "wiki_blobs"} {
		expect(t, s.reporter.Send("GET", at+"?scope="+scope+"&search=needle&ref=nowhere", ""), 404, `{"message":"404 Ref Not Found"}`)
	}
	for _, text := range []string{
		"a\nb", "path:a*a*a*a*a*b", strings.Repeat("path:a ", 11), strings.Repeat("a", 4097),
		strings.Repeat("a ", 65), "a\x00",
	} {
		if got := results(t, s.reporter, at, "blobs", text, "path"); got != "400" {
			t.Errorf("%.20q: %s", text, got)
		}
	}
	a := s.reporter.Send("GET", at+"?scope=blobs&search=needle&per_page=1", "")
	if a.Header.Get("X-Next-Page") != "2" || a.Header.Get("X-Per-Page") != "1" {
		t.Errorf("%v", a.Header)
	}
	if got := results(t, s.reporter, at, "blobs", "needle", "path", "&per_page=1&page=2"); got != "src/a.go" {
		t.Error(got)
	}
	if got := results(t, s.reporter, at, "blobs", "needle", "path", "&per_page=1&page=3"); got != "none" {
		t.Error(got)
	}
}

func TestASearchForCommits(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	s := newSearched(t, h)
	type found struct {
		ID, Title string
		ProjectID int64 `json:"project_id"`
		Stats     struct{ Total int64 }
	}
	rows := read[[]found](t, s.reporter.Send("GET", s.places[2]+"?scope=commits&search=needle", ""), 200)
	if len(rows) != 1 || rows[0].ProjectID != s.project.ID || rows[0].Stats.Total != 7 {
		t.Fatalf("%+v", rows)
	}
	for _, text := range []string{rows[0].ID, rows[0].ID[:8], strings.ToUpper(rows[0].ID[:10])} {
		for _, at := range s.places {
			if got := results(t, s.reporter, at, "commits", text, "id"); got != rows[0].ID {
				t.Errorf("%s %s: %s", at, text, got)
			}
		}
	}
	if got := results(t, s.reporter, s.places[2], "commits", "a needle", "id", "&page=2"); got != "none" {
		t.Error(got)
	}
}

func TestFiltersOfASearch(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	s := newSearched(t, h)
	root := h.Root()
	expect(t, root.JSON("PUT", fmt.Sprintf("/projects/%d/issues/1", s.project.ID), `{"state_event":"close"}`), 200, "")
	for _, at := range s.places {
		for more, want := range map[string]string{
			"": "Secret,A needle", "&sort=asc": "A needle,Secret", "&order_by=created_at&sort=desc": "Secret,A needle",
			"&state=closed": "A needle", "&state=opened": "Secret", "&state=all": "Secret,A needle", "&state=merged": "none",
			"&confidential=true": "Secret", "&confidential=false": "A needle", "&fields[]=title": "A needle",
			"&per_page=1&page=2":   "A needle",
			"&order_by=updated_at": "400", "&sort=up": "400", "&state=open": "400", "&search_type=zoekt": "400",
			"&search_type=basic":    "Secret,A needle",
			"&fields[]=description": "400", "&pagination=keyset": "405",
		} {
			if got := results(t, s.reporter, at, "issues", "needle", "title", more); got != want {
				t.Errorf("%s %s: %s, want %s", at, more, got, want)
			}
		}
		for text, want := range map[string]string{"#2": "Secret", "#9": "none", "": "none", " ": "none"} {
			if got := results(t, s.reporter, at, "issues", text, "title"); got != want {
				t.Errorf("%s %q: %s, want %s", at, text, got, want)
			}
		}
		if got := results(t, s.reporter, at, "merge_requests", "!1", "title"); got != "Thread a needle" {
			t.Errorf("%s: %s", at, got)
		}
		expect(t, root.Send("GET", at+"?search=x", ""), 400, `{"error":"scope is missing"}`)
		expect(t, root.Send("GET", at+"?scope=issues", ""), 400, `{"error":"search is missing"}`)
		expect(t, root.Send("GET", at+"?scope=epics&search=x", ""), 400, `{"error":"scope does not have a valid value"}`)
		expect(t, root.Send("GET", at+"?scope=issues&search="+strings.Repeat("a", 4097), ""), 400, "")
		expect(t, root.Send("GET", at+"?scope=issues&search=a%00", ""), 400, "")
	}
	for _, at := range []string{"/groups/%d/-/search", "/projects/%d/-/search"} {
		id := s.group.ID
		if strings.HasPrefix(at, "/projects") {
			id = s.project.ID
		}
		if got := results(t, s.reporter, fmt.Sprintf(at, id), "issues", "secret", "title"); got != "Secret" {
			t.Errorf("%s: %s", at, got)
		}
	}
	expect(t, root.JSON("POST", fmt.Sprintf("/projects/%d/archive", s.project.ID), ""), 201, "")
	for i, at := range s.places {
		want := "none"
		if i == 2 {
			want = "Secret,A needle"
		}
		if got := results(t, s.reporter, at, "issues", "needle", "title"); got != want {
			t.Errorf("%s of an archived project: %s", at, got)
		}
		if got := results(t, s.reporter, at, "issues", "needle", "title", "&include_archived=true"); got != "Secret,A needle" {
			t.Errorf("%s with archived projects: %s", at, got)
		}
	}
}

func TestASearchForPeopleAndSnippets(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	g := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	sub := h.Group(func(n *model.Namespace) { n.ParentID, n.Visibility = &g.ID, model.Private })
	p := h.Project(g.ID, called("web", model.Public))
	inGroup, inSub := h.NewUser(named("anneedle")), h.NewUser(named("benneedle"))
	inProject, other := h.NewUser(named("cleneedle")), h.NewUser(named("danneedle"))
	h.Join(g, inGroup.User, model.Guest)
	h.Join(sub, inSub.User, model.Guest)
	h.JoinProject(p, inProject.User, model.Guest)
	asker := h.NewUser()
	group, project := fmt.Sprintf("/groups/%d/search", g.ID), fmt.Sprintf("/projects/%d/search", p.ID)
	for _, c := range []struct {
		who      *harness.Caller
		at, want string
	}{
		{asker, "/search", "danneedle,cleneedle,benneedle,anneedle"},
		{asker, group, "cleneedle,anneedle"}, // the subgroup is hidden
		{inSub, group, "cleneedle,benneedle,anneedle"},
		{h.Root(), group, "cleneedle,benneedle,anneedle"},
		{asker, project, "cleneedle,anneedle"},
	} {
		if got := results(t, c.who, c.at, "users", "needle", "username"); got != c.want {
			t.Errorf("%s: %s, want %s", c.at, got, c.want)
		}
	}
	if got := results(t, asker, "/search", "users", "danneedle@example.com", "username"); got != "none" {
		t.Errorf("a private address finds %s", got)
	}
	if got := results(t, h.Root(), "/search", "users", "danneedle@example.com", "username"); got != "danneedle" {
		t.Errorf("an administrator finds %s", got)
	}
	for _, body := range []string{
		`{"title":"Public needle","visibility":"public","files":[{"file_path":"a.txt","content":"x"},{"file_path":"b.txt","content":"x"}]}`,
		`{"title":"Private needle","visibility":"private","file_name":"thread.txt","content":"x"}`,
		`{"title":"Files","visibility":"internal","file_name":"needle.txt","content":"x"}`,
	} {
		expect(t, other.JSON("POST", "/snippets", body), 201, "")
	}
	for _, c := range []struct {
		who        *harness.Caller
		text, want string
	}{
		{asker, "needle", "Files,Public needle"},
		{other, "needle", "Files,Private needle,Public needle"},
		{h.NewUser(harness.External), "needle", "Public needle"},
		{asker, "thread", "none"},
		{other, "thread", "Private needle"},
		{asker, `","`, "none"},
		{asker, "[", "none"},
	} {
		if got := results(t, c.who, "/search", "snippet_titles", c.text, "title"); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	expect(t, asker.Send("GET", group+"?scope=snippet_titles&search=x", ""), 400, `{"error":"scope does not have a valid value"}`)
}

func TestSearchesAreLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.LimitSearch = 2 })
	user, p := h.NewUser(), h.Project(h.Group(openGroup).ID, called("web", model.Public))
	for _, at := range []string{"/search", fmt.Sprintf("/projects/%d/search", p.ID)} {
		expect(t, user.Send("GET", at+"?scope=issues&search=x", ""), 200, "[]")
	}
	expect(t, user.Send("GET", "/search?scope=issues&search=x", ""), 429, "")
	expect(t, h.NewUser().Send("GET", "/search?scope=issues&search=x", ""), 200, "[]")
}

func TestScopesOfTokensThatSearch(t *testing.T) {
	t.Parallel()
	h := unlimitedSearch(t)
	u := h.NewUser()
	expect(t, h.WithToken(u.User, "read_api").Send("GET", "/search?scope=projects&search=x", ""), 200, "[]")
	expect(t, h.WithToken(u.User, "read_user").Send("GET", "/search?scope=projects&search=x", ""), 403, "")
}
