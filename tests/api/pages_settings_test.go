package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestTheSettingsOfASiteAreChanged(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	p.PublishSite(p.project, "index.html", "<h1>Hello</h1>", "a/b.html", "b")
	base := fmt.Sprintf("/projects/%d/pages", p.project.ID)
	type site struct {
		URL     string
		Unique  bool    `json:"is_unique_domain_enabled"`
		Primary *string `json:"primary_domain"`
	}
	host := p.host()
	p.waitForPage(host, "/", 200, "<h1>Hello</h1>")
	off := read[site](t, p.owner.JSON("PATCH", base, `{"pages_unique_domain_enabled":false}`), 200)
	if off.Unique || off.URL != "http://"+acmeHost+"/Web" || off.Primary != nil {
		t.Errorf("%+v", off)
	}
	p.waitForPage(host, "/", 404, "Not Found\n")
	p.waitForPage(acmeHost, "/web/", 200, "<h1>Hello</h1>")
	expect(t, p.owner.JSON("POST", base+"/domains", `{"domain":"www.example.org"}`), 201, "")
	unknown := `{"error":"pages_primary_domain is not a custom domain of the project"}`
	expect(t, p.owner.JSON("PATCH", base, `{"pages_primary_domain":"other.example.org"}`), 400, unknown)
	both := `{"pages_primary_domain":"https://www.example.org","pages_unique_domain_enabled":true}`
	set := read[site](t, p.owner.JSON("PATCH", base, both), 200)
	if !set.Unique || set.Primary == nil || *set.Primary != "http://www.example.org" {
		t.Errorf("%+v", set)
	}
	p.waitForPage(host, "/", 200, "<h1>Hello</h1>") // the domain is not verified
	verified := "UPDATE pages_domains SET enabled_until = '2100-01-01 00:00:00+00:00'"
	if _, err := p.Store.SQL().ExecContext(t.Context(), verified); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[[2]string]string{
		{host, "/a/b.html?x=1"}: "/a/b.html?x=1", {acmeHost, "/web/a/b.html"}: "/a/b.html", {acmeHost, "/web"}: "/",
	} {
		got := p.waitForPage(from[0], from[1], 307, "")
		if at := got.Header.Get("Location"); at != "http://www.example.org"+to {
			t.Errorf("%v leads to %s", from, at)
		}
	}
	p.waitForPage("www.example.org", "/a/b.html", 200, "b")
	none := read[site](t, p.owner.JSON("PATCH", base, `{"pages_primary_domain":null}`), 200)
	if none.Primary != nil {
		t.Errorf("%+v", none)
	}
	p.waitForPage(host, "/", 200, "<h1>Hello</h1>")
	expect(t, p.owner.JSON("PATCH", base, `{"pages_primary_domain":"www.example.org"}`), 200, "")
	expect(t, p.owner.Send("DELETE", base+"/domains/www.example.org", ""), 204, "")
	if got := p.owner.Send("GET", base, ""); !strings.Contains(got.Body, `"primary_domain":null`) {
		t.Errorf("%s", got.Body)
	}
}

func TestOnlyMaintainersChangeTheSettingsOfASite(t *testing.T) {
	t.Parallel()
	h := harness.New(t, harness.Sites)
	p := h.Project(h.Group(seen(model.Private)).ID, called("web", model.Private))
	base, body := fmt.Sprintf("/projects/%d/pages", p.ID), `{"pages_unique_domain_enabled":false}`
	for role, want := range map[model.Access]int{model.Guest: 403, model.Developer: 403, model.Maintainer: 200} {
		expect(t, h.ProjectMember(p, role).JSON("PATCH", base, body), want, "")
	}
	expect(t, h.NewUser().JSON("PATCH", base, body), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().JSON("PATCH", base, body), 401, "")
	maintainer := h.ProjectMember(p, model.Maintainer)
	expect(t, maintainer.JSON("PATCH", base, `{"pages_https_only":true}`), 400,
		`{"error":"pages_https_only follows from the settings of the instance and cannot be changed"}`)
	expect(t, maintainer.JSON("PATCH", base, `{"pages_https_only":false}`), 200, "")
	expect(t, maintainer.JSON("PATCH", base, `{"pages_unique_domain_enabled":"x"}`), 400, "")
	if got := maintainer.Send("GET", base, ""); !strings.Contains(got.Body, `"is_unique_domain_enabled":false`) {
		t.Errorf("%s", got.Body)
	}
}
