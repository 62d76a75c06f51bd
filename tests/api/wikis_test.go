package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type wikiPage struct{ Slug, Title, Format, Content, Encoding string }

func TestAWikiPageIsCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	dev := h.Member(g, model.Developer)
	for _, all := range []string{fmt.Sprintf("/projects/%d/wikis", p.ID), fmt.Sprintf("/groups/%d/wikis", g.ID)} {
		expect(t, dev.Send("GET", all, ""), 200, "[]")
		expect(t, dev.Send("GET", all+"/home", ""), 404, `{"message":"404 Wiki Page Not Found"}`)
		made := dev.JSON("POST", all, `{"title":"guides/First steps","content":"# Hi <b>"}`)
		expect(t, made, 201,
			`{"content":"# Hi \u003cb\u003e","format":"markdown","slug":"guides/First-steps","title":"First steps","encoding":"UTF-8"}`)
		one := all + "/guides%2FFirst-steps"
		expect(t, dev.Send("GET", one, ""), 200, made.Body)
		if got := read[wikiPage](t, dev.Send("GET", one+"?render_html=true", ""), 200); got.Content != "<pre># Hi &lt;b&gt;</pre>" {
			t.Error(got.Content)
		}
		expect(t, dev.JSON("POST", all, `{"title":"guides/First steps","content":"again"}`), 400,
			`{"message":{"base":["Duplicate page: A page with that title already exists"]}}`)
		expect(t, dev.JSON("POST", all, `{"title":"guides/First-steps","format":"org","content":"again"}`), 400, "")
		expect(t, dev.JSON("POST", all, `{"title":"home","format":"asciidoc","content":"= Home"}`), 201, "")
		expect(t, dev.Send("GET", all, ""), 200,
			`[{"format":"markdown","slug":"guides/First-steps","title":"First steps"},{"format":"asciidoc","slug":"home","title":"home"}]`)
		if got := read[[]wikiPage](t, dev.Send("GET", all+"?with_content=1&per_page=1&page=2", ""), 200); len(got) != 1 ||
			got[0].Content != "= Home" || got[0].Encoding != "UTF-8" {
			t.Errorf("%+v", got)
		}
		if got := read[wikiPage](t, dev.JSON("PUT", one, `{"title":"Last","format":"rdoc"}`), 200); got != (wikiPage{
			"Last", "Last", "rdoc", "# Hi <b>", "UTF-8",
		}) {
			t.Errorf("%+v", got)
		}
		expect(t, dev.Send("GET", one, ""), 404, "")
		expect(t, dev.JSON("PUT", one, `{"content":"x"}`), 404, `{"message":"404 Wiki Page Not Found"}`)
		expect(t, dev.JSON("PUT", all+"/Last", `{"title":"home"}`), 400,
			`{"message":{"base":["Duplicate page: A page with that title already exists"]}}`)
		if got := read[wikiPage](t, dev.JSON("PUT", all+"/Last", `{"content":"new"}`), 200); got.Content != "new" {
			t.Errorf("%+v", got)
		}
		expect(t, dev.JSON("PUT", all+"/Last", `{}`), 400,
			`{"error":"title, content, format are missing, at least one parameter must be provided"}`)
		expect(t, dev.Send("DELETE", all+"/Last", ""), 204, "")
		expect(t, dev.Send("DELETE", all+"/Last", ""), 404, `{"message":"404 Wiki Page Not Found"}`)
		expect(t, dev.Send("GET", all+"/home?version=0123456789012345678901234567890123456789", ""), 404, "")
	}
}

func TestInvalidWikiPagesAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	dev := h.Member(g, model.Developer)
	all := fmt.Sprintf("/projects/%d/wikis", p.ID)
	for _, title := range []string{
		"..", "a/../b", "/", " ", ".git/config", "a//b", "x\\u0001", strings.Repeat("x", 300),
		strings.Repeat("a/", 30) + "a", ".hidden",
	} {
		if got := dev.JSON("POST", all, `{"title":"`+title+`","content":"x"}`); got.Status != 400 {
			t.Errorf("%s: %d %s", title, got.Status, got.Body)
		}
	}
	expect(t, dev.JSON("POST", all, `{"title":"a"}`), 400, `{"error":"content is missing"}`)
	expect(t, dev.JSON("POST", all, `{"title":"a","content":"x","format":"html"}`), 400, `{"error":"format does not have a valid value"}`)
	expect(t, dev.Send("GET", all, ""), 200, "[]")
}

func TestWikisFollowRoles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(n *model.Namespace) { n.Visibility = model.Public })
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Public })
	reporter, dev, owner := h.Member(g, model.Reporter), h.Member(g, model.Developer), h.Member(g, model.Owner)
	for _, all := range []string{fmt.Sprintf("/projects/%d/wikis", p.ID), fmt.Sprintf("/groups/%d/wikis", g.ID)} {
		expect(t, reporter.JSON("POST", all, `{"title":"home","content":"x"}`), 403, "")
		expect(t, dev.JSON("POST", all, `{"title":"home","content":"x"}`), 201, "")
		expect(t, h.Anonymous().Send("GET", all+"/home", ""), 200, "")
		expect(t, h.Anonymous().JSON("PUT", all+"/home", `{"content":"y"}`), 401, "")
		expect(t, reporter.Send("DELETE", all+"/home", ""), 403, "")
	}
	all := fmt.Sprintf("/projects/%d/wikis", p.ID)
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"wiki_access_level":"private"}`), 200, "")
	expect(t, h.Anonymous().Send("GET", all, ""), 403, "")
	expect(t, reporter.Send("GET", all+"/home", ""), 200, "")
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"wiki_access_level":"disabled"}`), 200, "")
	expect(t, dev.Send("GET", all+"/home", ""), 403, "")
	hidden := h.Project(h.Group().ID)
	expect(t, dev.Send("GET", fmt.Sprintf("/projects/%d/wikis", hidden.ID), ""), 404, `{"message":"404 Project Not Found"}`)
}

// Every page whose creation succeeds while many callers write exists afterwards.
func TestConcurrentWikiEditsAreAllKept(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	dev := h.Member(g, model.Developer)
	all := fmt.Sprintf("/groups/%d/wikis", g.ID)
	const writers, each = 4, 5
	done := make(chan int, writers)
	for w := range writers {
		go func() {
			n := 0
			for i := range each {
				if dev.JSON("POST", all, fmt.Sprintf(`{"title":"p %d %d","content":"x"}`, w, i)).Status == 201 {
					n++
				}
			}
			done <- n
		}()
	}
	sum := 0
	for range writers {
		sum += <-done
	}
	if got := read[[]wikiPage](t, dev.Send("GET", all+"?per_page=100", ""), 200); len(got) != sum || sum != writers*each {
		t.Errorf("%d pages of %d", len(got), sum)
	}
}

type wikiPageEvent struct {
	TargetType string `json:"target_type"`
	TargetID   int64  `json:"target_id"`
	TargetIID  int64  `json:"target_iid"`
	Page       struct {
		Slug, Title, Format string
		ID                  int64 `json:"wiki_page_meta_id"`
	} `json:"wiki_page"`
}

// expectPageEvents checks the pages that the events are about: twice home, then three times Last.
func expectPageEvents(t *testing.T, rows []wikiPageEvent) {
	t.Helper()
	for i, slug := range []string{"home", "home", "Last", "Last", "Last"} {
		if r := rows[i]; r.TargetType != "WikiPage::Meta" || r.Page.Slug != slug || r.TargetID != r.Page.ID ||
			r.TargetIID != r.TargetID || r.Page.ID == 0 {
			t.Errorf("event %d is %+v", i, r)
		}
	}
	if rows[2].Page.Format != "org" || rows[2].TargetID != rows[4].TargetID || rows[0].TargetID != rows[1].TargetID ||
		rows[0].TargetID == rows[2].TargetID {
		t.Errorf("%+v", rows)
	}
}

func TestWikiPagesCreateEventsForUsersWhoCanSeeTheWiki(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Public })
	dev := h.Member(g, model.Developer)
	all, activity := fmt.Sprintf("/projects/%d/wikis", p.ID), fmt.Sprintf("/projects/%d/events", p.ID)
	expect(t, dev.JSON("POST", all, `{"title":"First steps","content":"a"}`), 201, "")
	expect(t, dev.JSON("PUT", all+"/First-steps", `{"content":"b"}`), 200, "")
	expect(t, dev.JSON("PUT", all+"/First-steps", `{"title":"Last","format":"org"}`), 200, "")
	expect(t, dev.JSON("POST", all, `{"title":"home","content":"a"}`), 201, "")
	expect(t, dev.Send("DELETE", all+"/home", ""), 204, "")
	expect(t, dev.JSON("PUT", all+"/home", `{"content":"b"}`), 404, "") // a failed update makes no event
	expect(t, dev.JSON("POST", fmt.Sprintf("/groups/%d/wikis", g.ID), `{"title":"Of the group","content":"a"}`), 201, "")

	expectPageEvents(t, read[[]wikiPageEvent](t, dev.Send("GET", activity, ""), 200))
	readers := map[string]*harness.Caller{
		"an administrator": h.Root(), "a guest": h.Member(g, model.Guest), "a reporter": h.Member(g, model.Reporter), "a developer": dev,
		"a maintainer": h.Member(g, model.Maintainer), "an owner": h.Member(g, model.Owner),
		"an outsider": h.NewUser(), "nobody": h.Anonymous(),
	}
	for level, hides := range map[model.FeatureAccess][]string{
		"enabled": nil, "private": {"an outsider", "nobody"},
		"disabled": {"a guest", "a reporter", "a developer", "a maintainer", "an owner", "an outsider", "nobody"},
	} {
		if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"wiki_access_level": level}); err != nil {
			t.Fatal(err)
		}
		for who, reader := range readers {
			want := "destroyed home, created home, updated Last, updated Last, created Last"
			if slices.Contains(hides, who) {
				want = ""
			}
			for _, path := range []string{
				activity, activity + "?target_type=wiki_page",
				fmt.Sprintf("/users/%d/events?target_type=wiki_page", dev.User.ID),
			} {
				if got := eventNames(t, reader.Send("GET", path, "")); got != want {
					t.Errorf("%s, wiki %s: %s reads %q, want %q", path, level, who, got, want)
				}
			}
		}
	}
	expect(t, h.Root().Send("GET", activity+"?action=created&target_type=issue", ""), 200, "[]")
}
