package api

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// newPrivateSiteProject makes the project acme/web, whose site is visible to its members only.
func newPrivateSiteProject(t *testing.T) *siteProject {
	t.Helper()
	p := newSiteProject(t)
	expect(t, p.owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.project.ID), `{"pages_access_level":"private"}`), 200, "")
	p.publish(p.project, anArchive(t, "public/index.html", "home", "public/a.html", "a"))
	p.waitForPage(p.host(), "/", 200, "home", "PRIVATE-TOKEN", p.owner.Token)
	return p
}

// open requests a page of a site as a browser does. The cookies are those of the site's host.
func (p *siteProject) open(host, path string, cookies ...string) harness.Answer {
	p.t.Helper()
	return p.RequestSite(
		"GET",
		host,
		path,
		"Accept",
		"text/html,*/*;q=0.8",
		"Sec-Fetch-Mode",
		"navigate",
		"Cookie",
		strings.Join(cookies, "; "),
	)
}

// signInPath returns the sign-in path of the service that a response redirects to.
func (p *siteProject) signInPath(a harness.Answer) string {
	p.t.Helper()
	to, ok := strings.CutPrefix(a.Header.Get("Location"), p.URL)
	if a.Status != 302 || !ok || !strings.HasPrefix(to, "/-/pages/sign_in?") || a.Header.Get("Cache-Control") != "no-store" {
		p.t.Fatalf("not sent to sign in: %d %s %v", a.Status, a.Body, a.Header)
	}
	return to
}

// cookie returns a cookie that a response sets, in the form that the browser sends.
func (p *siteProject) cookie(a harness.Answer, name string) string {
	p.t.Helper()
	for _, text := range a.Header.Values("Set-Cookie") {
		c, err := http.ParseSetCookie(text)
		if err == nil && c.Name == name {
			if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Domain != "" || c.Path != "/" {
				p.t.Errorf("the cookie is open to others: %s", text)
			}
			return c.Name + "=" + c.Value
		}
	}
	p.t.Fatalf("there is no cookie %s: %v", name, a.Header)
	return ""
}

var onward = regexp.MustCompile(`content="0; url=([^"]+)"`)

// redirectTarget returns the URL that a page of the service sends the browser to.
func (p *siteProject) redirectTarget(page harness.Page) *url.URL {
	p.t.Helper()
	found := onward.FindStringSubmatch(page.Body)
	if page.Status != 200 || found == nil || page.Header.Get("Referrer-Policy") != "same-origin" {
		p.t.Fatalf("the page leads nowhere: %d %s", page.Status, page.Body)
	}
	u, err := url.Parse(html.UnescapeString(found[1]))
	if err != nil {
		p.t.Fatal(err)
	}
	return u
}

// signInToSite signs a user in to the site and returns their browser and the cookie of the site.
func (p *siteProject) signInToSite(user model.User) (*harness.Browser, string) {
	p.t.Helper()
	b := p.SignedIn(user)
	asked := p.open(p.host(), "/a?x=1")
	state := p.cookie(asked, "svc_site_state")
	back := p.redirectTarget(b.Get(p.signInPath(asked)))
	arrived := p.open(back.Host, back.RequestURI(), state)
	if arrived.Status != 302 || arrived.Header.Get("Location") != "http://"+p.host()+"/a?x=1" {
		p.t.Fatalf("the browser does not arrive: %d %v", arrived.Status, arrived.Header)
	}
	return b, p.cookie(arrived, "svc_site")
}

func TestAPrivateSiteIsOpenedBySigningIn(t *testing.T) {
	t.Parallel()
	p := newPrivateSiteProject(t)
	guest := p.NewUserWithPassword()
	p.JoinProject(p.project, guest.User, model.Guest)
	b, cookie := p.signInToSite(guest.User)
	if got := p.open(p.host(), "/a?x=1", cookie); got.Status != 200 || got.Body != "a" ||
		got.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%d %s %v", got.Status, got.Body, got.Header)
	}
	if got := p.open(p.host(), "/none", cookie); got.Status != 404 {
		t.Error(got.Status)
	}
	// The cookie is valid for one host: neither other hosts nor the service accept it.
	p.signInPath(p.open(acmeHost, "/web/", cookie))
	expect(t, p.Anonymous().Send("GET", "/user", "", "Cookie", cookie), 401, "")
	// Access is checked on each request.
	expect(t, p.owner.Send("DELETE", fmt.Sprintf("/projects/%d/members/%d", p.project.ID, guest.User.ID), ""), 204, "")
	expect(t, p.open(p.host(), "/a", cookie), 404, "Not Found\n")
	p.JoinProject(p.project, guest.User, model.Guest)
	expect(t, p.open(p.host(), "/a", cookie), 200, "a")
	b.Get("/-/profile")
	b.Submit("/users/sign_out", url.Values{})
	p.signInPath(p.open(p.host(), "/a", cookie)) // the session has ended
}

// A site that does not exist looks like a site that the caller may not see, before and after signing in.
func TestAPrivateSiteRedirectsBrowsersToSignIn(t *testing.T) {
	t.Parallel()
	p := newPrivateSiteProject(t)
	for _, at := range [][2]string{
		{p.host(), "/"},
		{p.host(), "/none"},
		{acmeHost, "/web/"},
		{acmeHost, "/none/"},
		{"nobody." + harness.SitesHost, "/"},
	} {
		to := p.signInPath(p.open(at[0], at[1]))
		if q, err := url.ParseQuery(strings.TrimPrefix(to, "/-/pages/sign_in?")); err != nil ||
			q.Get("host") != at[0] || q.Get("path") != at[1] || len(q.Get("state")) < 20 {
			t.Error(to)
		}
		for _, header := range [][]string{
			{"Accept", "*/*"},
			{"Accept", "text/html", "PRIVATE-TOKEN", "wrong"},
			{"Accept", "text/html", "Sec-Fetch-Mode", "cors"},
		} {
			expect(t, p.RequestSite("GET", at[0], at[1], header...), 404, "Not Found\n")
		}
	}
	expect(t, p.open("elsewhere.example.com", "/"), 404, "Not Found\n")
	signInByRole(t, p)
	signInAsOwner(t, p)
}

// signInByRole signs in members, who are sent back to the site, and an outsider, who is not.
func signInByRole(t *testing.T, p *siteProject) {
	t.Helper()
	anybody, path := p.Browser(), p.signInPath(p.open(p.host(), "/"))
	if page := anybody.Get(path); page.URL.Path != "/users/sign_in" || page.URL.Query().Get("return_to") != path {
		t.Error(page.URL)
	}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer, model.Owner} {
		member := p.NewUserWithPassword()
		p.JoinProject(p.project, member.User, role)
		p.redirectTarget(p.SignedIn(member.User).Get(path))
	}
	outsider := p.SignedIn(p.NewUserWithPassword().User)
	for _, host := range []string{p.host(), acmeHost, "nobody." + harness.SitesHost, "elsewhere.example.com"} {
		if page := outsider.Get("/-/pages/sign_in?" + url.Values{
			"host": {host}, "path": {"/web/"}, "state": {"s"},
		}.Encode()); page.Status != 404 {
			t.Errorf("%s: %d", host, page.Status)
		}
	}
}

func signInAsOwner(t *testing.T, p *siteProject) {
	t.Helper()
	// From the host of a namespace, which several sites share, the browser is redirected to the unique host of the
	// site.
	owner := p.NewUserWithPassword()
	p.JoinProject(p.project, owner.User, model.Owner)
	signedIn := p.SignedIn(owner.User).Get(p.signInPath(p.open(acmeHost, "/web/a?x=1")))
	if to := p.redirectTarget(signedIn); to.String() != "http://"+p.host()+"/a?x=1" {
		t.Error(to)
	}
	member := p.SignedIn(owner.User)
	for _, query := range []string{
		"", "?host=" + p.host(), "?state=s", "?state=s&path=//evil.example.com/&host=" + p.host() + "%00",
		"?state=s&path=x&host=" + p.host(),
	} {
		if page := member.Get("/-/pages/sign_in" + query); page.Status != 404 && page.Status != 400 {
			t.Errorf("%s: %d", query, page.Status)
		}
	}
}

// A code works once, and only in the browser that requested it.
func TestTheSignInCodeOfASiteWorksOnceInOneBrowser(t *testing.T) {
	t.Parallel()
	p := newPrivateSiteProject(t)
	owner := p.NewUserWithPassword()
	p.JoinProject(p.project, owner.User, model.Owner)
	b := p.SignedIn(owner.User)
	begin := func() (state string, back *url.URL) {
		asked := p.open(p.host(), "/")
		return p.cookie(asked, "svc_site_state"), p.redirectTarget(b.Get(p.signInPath(asked)))
	}
	state, back := begin()
	if other := p.open(p.host(), "/", state); p.cookie(other, "svc_site_state") != state {
		t.Error("two windows of one browser have two states")
	}
	other, _ := begin()
	for _, cookies := range [][]string{nil, {other}, {"svc_site_state="}} {
		expect(t, p.open(back.Host, back.RequestURI(), cookies...), 400, "")
	}
	expect(t, p.open(back.Host, back.RequestURI(), state), 302, "")
	expect(t, p.open(back.Host, back.RequestURI(), state), 400, "")
	// At another host the code gives no access and is used up.
	state, back = begin()
	expect(t, p.open(acmeHost, back.RequestURI(), state), 400, "")
	expect(t, p.open(back.Host, back.RequestURI(), state), 400, "")
}

func TestASiteOfAPublicProjectIsPublicByDefault(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	someone := h.NewUser()
	for body, want := range map[string]string{
		`{"name":"a","visibility":"public"}`:                                `"pages_access_level":"enabled"`,
		`{"name":"b","visibility":"private"}`:                               `"pages_access_level":"private"`,
		`{"name":"c","visibility":"internal"}`:                              `"pages_access_level":"private"`,
		`{"name":"d","visibility":"public","pages_access_level":"private"}`: `"pages_access_level":"private"`,
	} {
		if got := someone.JSON("POST", "/projects", body); got.Status != 201 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
}

func TestAProjectWithoutASiteAcceptsNoDomains(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	base := fmt.Sprintf("/projects/%d/pages", p.ID)
	expect(t, owner.JSON("POST", base+"/domains", `{"domain":"www.example.com"}`), 201, "")
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"pages_access_level":"disabled"}`), 200, "")
	const none = `{"message":"404 Not Found"}`
	expect(t, owner.JSON("POST", base+"/domains", `{"domain":"other.example.com"}`), 404, none)
	expect(t, owner.Send("GET", base+"/domains", ""), 404, none)
	expect(t, owner.Send("GET", base+"/domains/www.example.com", ""), 404, none)
	expect(t, owner.JSON("PUT", base+"/domains/www.example.com", `{"auto_ssl_enabled":true}`), 404, none)
	expect(t, owner.Send("DELETE", base+"/domains/www.example.com", ""), 404, none)
	expect(t, owner.Send("GET", base, ""), 404, none)
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"pages_access_level":"enabled"}`), 200, "")
	expect(t, owner.Send("DELETE", base+"/domains/www.example.com", ""), 204, "")
}

// A user who lacks a second factor that a group requires cannot open a private site: neither with an existing cookie
// nor by signing in again.
func TestASiteIsClosedToUsersWhoLackARequiredSecondFactor(t *testing.T) {
	t.Parallel()
	p := newPrivateSiteProject(t)
	guest := p.NewUserWithPassword()
	p.JoinProject(p.project, guest.User, model.Guest)
	b, cookie := p.signInToSite(guest.User)
	expect(t, p.open(p.host(), "/a", cookie), 200, "a")
	lenient := p.Group(func(g *model.Namespace) { g.RequireTwoFactorAuthentication, g.TwoFactorGracePeriod = true, 48 })
	p.Join(lenient, guest.User, model.Guest)
	expect(t, p.open(p.host(), "/a", cookie), 200, "a") // the user is still in the grace period
	strict := p.Group(func(g *model.Namespace) { g.RequireTwoFactorAuthentication, g.TwoFactorGracePeriod = true, 0 })
	p.Join(strict, guest.User, model.Guest)
	path := p.signInPath(p.open(p.host(), "/a", cookie))
	if page := b.Get(path); page.URL.Path != "/-/profile/two_factor_auth" || onward.MatchString(page.Body) {
		t.Errorf("the session is sent to %s: %s", page.URL, page.Body)
	}
	expect(t, p.Root().Send("DELETE", fmt.Sprintf("/groups/%d/members/%d", strict.ID, guest.User.ID), ""), 204, "")
	expect(t, p.open(p.host(), "/a", cookie), 200, "a")
}

// If no host is configured for sites and the service has only an IP address, sites are below pages.localhost.
func TestSitesAreBelowLocalhostByDefault(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t, func(c *config.Config) { c.PagesHost = "" })
	p.publish(p.project, anArchive(t, "public/index.html", "home"))
	p.waitForPage("acme.pages.localhost", "/web/", 200, "home")
	var shown struct{ URL string }
	got := p.owner.Send("GET", fmt.Sprintf("/projects/%d/pages", p.project.ID), "")
	if err := json.Unmarshal([]byte(got.Body), &shown); err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(shown.URL, "http://")
	if !strings.HasPrefix(host, "web-") || !strings.HasSuffix(host, ".pages.localhost") {
		t.Fatalf("the site is at %q", shown.URL)
	}
	p.waitForPage(host, "/", 200, "home")
	for _, other := range []string{"localhost", "pages.localhost", "acme.localhost", "acme.pages.localhost.example.com"} {
		expect(t, p.RequestSite("GET", other, "/web/"), 404, "Not Found\n")
	}
}
