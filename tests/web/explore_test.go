package web

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestEverybodyExploresWhatIsPublic(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	open := h.Group(func(n *model.Namespace) { n.Name, n.Visibility = "Open", model.Public })
	closed := h.Group(func(n *model.Namespace) { n.Name = "Closed" })
	for range 25 {
		h.Project(open.ID, func(p *model.Project) { p.Visibility = model.Public })
	}
	h.Project(open.ID, func(p *model.Project) { p.Name, p.Visibility = "Zebra <public>", model.Public })
	h.Project(closed.ID, func(p *model.Project) { p.Name = "Zebra hidden" })
	h.Project(open.ID, func(p *model.Project) { p.Name, p.Visibility, p.Archived = "Zebra archived", model.Public, true })
	for _, b := range []*harness.Browser{h.Browser(), h.SignedIn(u.User)} {
		page := openPage(t, h, b, "/-/explore?sort=name", 5)
		checkPage(t, page, 200, "/-/explore", "Next page")
		checkPage(t, openPage(t, h, b, "/-/explore?search=zebra", 5), 200, "/-/explore", "Zebra <public>")
		for _, secret := range []string{"Zebra hidden", "Zebra archived"} {
			if strings.Contains(b.Page.Text(), secret) {
				t.Errorf("it shows %s", secret)
			}
		}
		checkPage(t, openPage(t, h, b, "/-/explore?kind=groups", 5), 200, "/-/explore", "Open")
		if strings.Contains(b.Page.Text(), "Closed") {
			t.Error("it shows a private group")
		}
		checkPage(t, b.Get("/-/explore?sort=%27;drop&page=-1&kind=x"), 200, "/-/explore", "Projects")
		checkPage(t, b.Get("/-/help"), 200, "/-/help", "Keyboard shortcuts")
	}
}

func TestTheSearchFindsWhatTheCallerSees(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, outsider := h.NewUserWithPassword(func(u *model.User) { u.Name = "Zelda Zebra" }), h.NewUserWithPassword()
	g := h.Group(func(n *model.Namespace) { n.Name = "Zebra group" })
	h.Join(g, u.User, model.Owner)
	p := h.Project(g.ID, func(p *model.Project) { p.Name = "Zebra project" })
	issue := model.Issue{
		ProjectID: p.ID, AuthorID: u.User.ID, Title: "Zebra issue", State: "opened", IssueType: "issue", Severity: "UNKNOWN",
	}
	if err := h.Store.Issues.Create(t.Context(), &issue, nil, nil); err != nil {
		t.Fatal(err)
	}
	member, other, stranger := h.SignedIn(u.User), h.SignedIn(outsider.User), h.Browser()
	for scope, want := range map[string]string{
		"projects": "Zebra project", "groups": "Zebra group", "issues": "Zebra issue", "merge_requests": "Nothing was found",
		"users": "Zelda Zebra",
	} {
		path := "/-/search?scope=" + scope + "&search=zebra"
		checkPage(t, openPage(t, h, member, path, 14), 200, "/-/search", want)
		for _, b := range []*harness.Browser{other, stranger} {
			page := openPage(t, h, b, path, 14)
			if scope != "users" && strings.Contains(page.Text(), want) && want != "Nothing was found" {
				t.Errorf("an outsider finds %s", want)
			}
		}
	}
	checkPage(t, other.Get("/-/search?scope=users&search=zelda"), 200, "/-/search", "Zelda Zebra")
	if strings.Contains(stranger.Get("/-/search?scope=users&search=zelda").Text(), "Zebra") {
		t.Error("an anonymous visitor finds people")
	}
	checkPage(t, stranger.Get("/-/search"), 200, "/-/search", "Type a part of a name")
	checkPage(t, stranger.Get("/-/search?search=%25_%27"), 200, "/-/search", "Nothing was found")
}
