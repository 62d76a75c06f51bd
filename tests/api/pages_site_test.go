package api

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// siteProject publishes sites with the jobs of a project.
type siteProject struct {
	*harness.H
	t       *testing.T
	owner   *harness.Caller
	project model.Project
	runner  *fakeRunner
}

// newSiteProject makes the project acme/web, whose site everybody may see.
func newSiteProject(t *testing.T, edit ...func(*config.Config)) *siteProject {
	t.Helper()
	p := &siteProject{H: harness.New(t, append([]func(*config.Config){harness.Sites}, edit...)...), t: t}
	p.owner = p.NewUser(func(u *model.User) { u.Username = "Acme" })
	p.project = p.Project(*p.owner.User.NamespaceID, func(r *model.Project) { r.Path, r.PagesAccessLevel = "Web", model.FeaturePublic })
	p.runner = newFakeRunner(t, p.H, anyJobs)
	p.StartWorker()
	return p
}

// acmeHost is the host of the sites of the namespace acme.
const acmeHost = "acme." + harness.SitesHost

// host returns the unique host of the site of acme/web.
func (p *siteProject) host() string {
	p.t.Helper()
	var shown struct{ URL string }
	if err := json.Unmarshal([]byte(p.owner.Send("GET", fmt.Sprintf("/projects/%d/pages", p.project.ID), "").Body), &shown); err != nil {
		p.t.Fatal(err)
	}
	host := strings.TrimPrefix(shown.URL, "http://")
	if !strings.HasPrefix(host, "web-") || !strings.HasSuffix(host, "."+harness.SitesHost) {
		p.t.Fatalf("the site is at %q", shown.URL)
	}
	return host
}

// publish runs a job of a project that uploads an archive.
func (p *siteProject) publish(project model.Project, archive string) runnerJob {
	p.t.Helper()
	g := p.begin(project)
	p.finish(g, archive)
	return g
}

func (p *siteProject) begin(project model.Project) runnerJob {
	p.t.Helper()
	job := aJob("pages", 2)
	job.Pages = &syntax.Pages{Publish: "public"}
	p.Pipeline(project, p.owner.User, []syntax.Job{job})
	return p.runner.job()
}

func (p *siteProject) finish(g runnerJob, archive string) {
	p.t.Helper()
	expect(p.t, p.runner.upload(g, "artifact_format=zip&artifact_type=archive&expire_in=1+day", "artifacts.zip", archive), 201, "201")
	expect(p.t, p.runner.update(g, "success", ""), 200, "200")
}

// waitForPage waits until a page gives this response. The service caches a site for one second.
func (p *siteProject) waitForPage(host, path string, status int, body string, pairs ...string) harness.Answer {
	p.t.Helper()
	return waitForAnswer(p.t, fmt.Sprintf("%s%s answers %d %q", host, path, status, body),
		func() harness.Answer { return p.RequestSite("GET", host, path, pairs...) },
		func(got harness.Answer) bool { return got.Status == status && (body == "" || got.Body == body) })
}

// waitForAnswer repeats a call until its answer is the wanted one, and returns it. If that never comes, the test log
// has the last answer.
func waitForAnswer(
	t *testing.T, what string, call func() harness.Answer, wanted func(harness.Answer) bool,
) (got harness.Answer) {
	t.Helper()
	found := false
	defer func() {
		if !found {
			t.Logf("the last answer is %d %s", got.Status, got.Body)
		}
	}()
	wait.Until(t, what, func() bool {
		got = call()
		found = wanted(got)
		return found
	})
	return got
}

func TestAJobPublishesASite(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	base := fmt.Sprintf("/projects/%d/pages", p.project.ID)
	none := p.owner.Send("GET", base, "")
	expect(t, none, 200, `{"url":"http://`+p.host()+
		`","is_unique_domain_enabled":true,"force_https":false,"deployments":[],"primary_domain":null}`)
	expect(t, p.RequestSite("GET", acmeHost, "/web/"), 404, "Not Found\n")
	expect(t, p.owner.Send("DELETE", base, ""), 404, `{"message":"404 Pages Not Found"}`)
	first, second := p.begin(p.project), p.begin(p.project)
	p.finish(second, anArchive(t, "public/index.html", "<h1>Hello</h1>", "secret.txt", "not published"))
	p.waitForPage(acmeHost, "/web/", 200, "<h1>Hello</h1>")
	p.finish(first, anArchive(t, "public/index.html", "old"))
	shown := p.owner.Send("GET", base, "")
	expect(t, shown, 200, "")
	p.Golden("getProjectPages/published", strings.ReplaceAll(shown.Body, p.host(), "web-12345678x."+harness.SitesHost))
	expect(t, p.RequestSite("GET", p.host(), "/"), 200, "<h1>Hello</h1>")
	expect(t, p.RequestSite("GET", "x"+p.host(), "/"), 404, "Not Found\n")
	p.publish(p.project, anArchive(t, "public/index.html", "newer"))
	p.waitForPage(acmeHost, "/web/", 200, "newer")
	for _, host := range []string{"ACME.pages.example.net", "acme.pages.example.net:8080", "acme.pages.example.net."} {
		expect(t, p.RequestSite("GET", host, "/WEB/"), 200, "newer")
	}
	for _, at := range [][2]string{
		{"other." + harness.SitesHost, "/web/"},
		{harness.SitesHost, "/acme/web/"},
		{"127.0.0.1", "/web/"},
		{acmeHost, "/"},
		{acmeHost, "/none/"},
		{"", "/"},
	} {
		expect(t, p.RequestSite("GET", at[0], at[1]), 404, "Not Found\n")
	}
	// The site is a copy, so deleting the artifacts does not change it.
	expect(t, p.owner.Send("DELETE", fmt.Sprintf("/projects/%d/jobs/%d/artifacts", p.project.ID, second.ID), ""), 204, "")
	expect(t, p.RequestSite("GET", acmeHost, "/web/index.html"), 200, "newer")
	expect(t, p.ProjectMember(p.project, model.Developer).Send("DELETE", base, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, p.ProjectMember(p.project, model.Developer).Send("GET", base, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, p.NewUser().Send("DELETE", base, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, p.owner.Send("DELETE", base, ""), 204, "")
	p.waitForPage(acmeHost, "/web/", 404, "Not Found\n")
}

func TestTheFilesOfASiteAreServed(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	p.publish(p.project, anArchive(t, "public/index.html", "home", "public/about.html", "about",
		"public/docs/index.html", "docs", "public/docs/a.css", "body{}", "public/LICENSE", "plain",
		"public/404.html", "<p>lost</p>", "public/app.js", "let a = 1", "public/app.js.gz", "gz", "public/app.js.br",
		"br", "public/both/x", "x", "public/both.html", "both", "above.txt", "secret"))
	p.waitForPage(acmeHost, "/web/", 200, "home")
	for path, want := range map[string]string{
		"/web/index.html": "home", "/web/about": "about", "/web/about.html": "about", "/web/docs/": "docs",
		"/web/docs/a.css": "body{}", "/web/LICENSE": "plain", "/web/both": "both",
		"/web/%61bout": "about", "/web/?x=1": "home",
	} {
		if got := p.RequestSite("GET", acmeHost, path); got.Status != 200 || got.Body != want ||
			got.Header.Get("X-Content-Type-Options") != "nosniff" || got.Header.Get("Cache-Control") != "max-age=600" {
			t.Errorf("%s: %d %q %v", path, got.Status, got.Body, got.Header)
		}
	}
	for path, want := range map[string]string{"/web": "/web/", "/web/docs": "/web/docs/", "/web/docs?a=b": "/web/docs/?a=b"} {
		if got := p.RequestSite("GET", acmeHost, path); got.Status != 302 || got.Header.Get("Location") != want {
			t.Errorf("%s: %d %s", path, got.Status, got.Header.Get("Location"))
		}
	}
	for _, path := range []string{
		"/web/none", "/web/none/", "/web/both/", "/web/../web/index.html", "/web/docs/../index.html",
		"/web/%2e%2e/above.txt", "/web/..%2fabove.txt", "/web/..%5c..%5cabove.txt", "/web/%2fetc/passwd",
		"/web//index.html", "/web/docs//a.css", "/web/./index.html", "/web/index.html/", "/web/docs/a.css/x",
		"/web/" + strings.Repeat("a", 300), "/web/drafts",
	} {
		expect(t, p.RequestSite("GET", acmeHost, path), 404, "<p>lost</p>")
	}
	for _, path := range []string{"/../../etc/passwd", "//evil.example.com/..", "/web%00/", "/" + strings.Repeat("a/", 3000), "/%ff/"} {
		if got := p.RequestSite("GET", acmeHost, path); got.Status != 404 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE"} {
		if got := p.RequestSite(method, acmeHost, "/web/"); got.Status != 405 || got.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d %v", method, got.Status, got.Header)
		}
	}
	expect(t, p.RequestSite("HEAD", acmeHost, "/web/"), 200, "")
	expect(t, p.RequestSite("HEAD", acmeHost, "/web/none"), 404, "")
}

func TestSitesServeRangesAndCompressedFiles(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	p.publish(p.project,
		anArchive(t, "public/app.js", "let a = 1", "public/app.js.gz", "gz", "public/app.js.br", "br", "public/a.woff2", "font"))
	whole := p.waitForPage(acmeHost, "/web/app.js", 200, "let a = 1")
	tag := whole.Header.Get("ETag")
	if kind := whole.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/javascript") || len(tag) < 10 ||
		whole.Header.Get("Last-Modified") == "" || whole.Header.Get("Vary") != "Accept-Encoding" {
		t.Error(whole.Header)
	}
	expect(t, p.RequestSite("GET", acmeHost, "/web/app.js", "Range", "bytes=4-4"), 206, "a")
	expect(t, p.RequestSite("GET", acmeHost, "/web/app.js", "Range", "bytes=99-"), 416, "")
	expect(t, p.RequestSite("GET", acmeHost, "/web/app.js", "If-None-Match", tag), 304, "")
	expect(t, p.RequestSite("GET", acmeHost, "/web/app.js", "Range", "bytes=4-4", "If-Range", `"other"`), 200, "let a = 1")
	expect(t, p.RequestSite("GET", acmeHost, "/web/app.js", "If-Modified-Since", whole.Header.Get("Last-Modified")), 304, "")
	for accept, want := range map[string]string{
		"gzip": "gz", "gzip, br": "br", "br;q=0, gzip;q=0.5": "gz", "gzip;q=0": "let a = 1", "deflate": "let a = 1",
		"GZIP": "gz", "gzip;q=x": "let a = 1",
	} {
		got := p.RequestSite("GET", acmeHost, "/web/app.js", "Accept-Encoding", accept)
		if expect(t, got, 200, want); want != "let a = 1" && (got.Header.Get("Content-Encoding") == "" ||
			got.Header.Get("ETag") == tag || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/javascript")) {
			t.Errorf("%s: %v", accept, got.Header)
		}
	}
	if got := p.RequestSite("GET", acmeHost, "/web/a.woff2"); got.Header.Get("Content-Type") != "font/woff2" {
		t.Error(got.Header)
	}
}

func TestSitesOfSubgroupsAndOfTheNamespaceRoot(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	top := p.Group(func(n *model.Namespace) { n.Path, n.Name, n.Visibility = "top", "top", model.Public })
	sub := p.Group(func(n *model.Namespace) {
		n.Path, n.Name, n.ParentID, n.Visibility = "sub", "sub", &top.ID, model.Public
	})
	public := func(path string) func(*model.Project) {
		return func(r *model.Project) {
			r.Path, r.PagesAccessLevel, r.Visibility = path, model.FeaturePublic, model.Public
		}
	}
	p.publish(p.Project(sub.ID, public("deep")), anArchive(t, "public/index.html", "deep"))
	p.publish(p.Project(top.ID, public("top."+harness.SitesHost)),
		anArchive(t, "public/index.html", "root", "public/x/index.html", "x", "public/sub/index.html", "sub"))
	host := "top." + harness.SitesHost
	p.waitForPage(host, "/sub/deep/", 200, "deep")
	p.waitForPage(host, "/", 200, "root")
	expect(t, p.RequestSite("GET", host, "/x/"), 200, "x")
	expect(t, p.RequestSite("GET", host, "/sub/"), 200, "sub")
	expect(t, p.RequestSite("GET", host, "/none"), 404, "Not Found\n")
}

func TestSitesFollowTheirAccessLevel(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	p.publish(p.project, anArchive(t, "public/index.html", "hello"))
	p.waitForPage(acmeHost, "/web/", 200, "hello")
	guest, stranger := p.ProjectMember(p.project, model.Guest), p.NewUser()
	weak := p.WithToken(guest.User, "read_user")
	running := p.begin(p.project)
	callers := [][]string{
		nil,
		{"PRIVATE-TOKEN", stranger.Token},
		{"PRIVATE-TOKEN", guest.Token},
		{"Authorization", "Bearer " + guest.Token},
		{"PRIVATE-TOKEN", weak.Token},
		{"PRIVATE-TOKEN", p.Root().Token},
		{"PRIVATE-TOKEN", "wrong"},
		{"JOB-TOKEN", running.Token},
		{"Cookie", "_svc_session=x"},
	}
	for _, c := range []struct {
		visibility, level, want string
	}{
		{"private", "private", "[404 404 200 200 404 200 404 200 404]"},
		{"private", "enabled", "[404 404 200 200 404 200 404 200 404]"},
		{"private", "public", "[200 200 200 200 200 200 200 200 200]"},
		{"internal", "enabled", "[404 200 200 200 404 200 404 200 404]"},
		{"public", "enabled", "[200 200 200 200 200 200 200 200 200]"},
		{"public", "private", "[404 404 200 200 404 200 404 200 404]"},
		{"public", "disabled", "[404 404 404 404 404 404 404 404 404]"},
	} {
		expect(t, p.owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.project.ID),
			fmt.Sprintf(`{"visibility":%q,"pages_access_level":%q}`, c.visibility, c.level)), 200, "")
		// A site is cached for a second.
		what := fmt.Sprintf("the callers of a %s site of a %s project get %s", c.level, c.visibility, c.want)
		wait.Until(t, what, func() bool {
			var got []int
			for _, header := range callers {
				got = append(got, p.RequestSite("GET", acmeHost, "/web/", header...).Status)
			}
			if text := fmt.Sprint(got); text != c.want {
				t.Logf("%s project, %s site: %s, want %s", c.visibility, c.level, text, c.want)
				return false
			}
			return true
		})
	}
	expect(t, p.owner.JSON("PUT", fmt.Sprintf("/projects/%d", p.project.ID), `{"pages_access_level":"private"}`), 200, "")
	if got := p.waitForPage(acmeHost, "/web/", 200, "hello", "PRIVATE-TOKEN",
		guest.Token); got.Header.Get("Cache-Control") != "private, no-cache" {
		t.Error(got.Header)
	}
	expect(t, p.owner.Send("DELETE", fmt.Sprintf("/projects/%d", p.project.ID), ""), 202, "")
	p.waitForPage(acmeHost, "/web/", 404, "Not Found\n", "PRIVATE-TOKEN", p.Root().Token)
}

func TestInvalidSiteArchivesAreRefused(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t, func(c *config.Config) { c.MaxPagesSize = 1 })
	p.publish(p.project, anArchive(t, "public/index.html", "good"))
	p.waitForPage(acmeHost, "/web/", 200, "good")
	for archive, want := range map[string]string{
		"no zip file":                        "the artifacts are not a zip file",
		anArchive(t, "dist/index.html", "x"): "the artifacts have no files in the folder public",
		anArchive(t, "public/../x", "x"):     `the name \"../x\" is not a path inside the site`,
		anArchive(t, "public/a", strings.Repeat("a",
			600<<10), "public/b", strings.Repeat("b", 600<<10)): "its files have more than 1048576 bytes in total",
	} {
		p.publish(p.project, archive)
		path := fmt.Sprintf("/projects/%d/audit_events", p.project.ID)
		waitForAnswer(t, "an audit event says that "+want,
			func() harness.Answer { return p.owner.Send("GET", path, "") },
			func(got harness.Answer) bool { return strings.Contains(got.Body, "Could not publish the site: "+want) })
		expect(t, p.RequestSite("GET", acmeHost, "/web/"), 200, "good")
	}
}

func TestASiteWithACustomDomain(t *testing.T) {
	t.Parallel()
	dns, address := listenDNS(t)
	p := newSiteProject(t, func(c *config.Config) { c.PagesDNS = address })
	p.publish(p.project, anArchive(t, "public/index.html", "own", "public/a/index.html", "a"))
	p.waitForPage(acmeHost, "/web/", 200, "own")
	base := fmt.Sprintf("/projects/%d/pages/domains", p.project.ID)
	made := read[site](t, p.owner.JSON("POST", base, `{"domain":"www.example.com"}`), 201)
	expect(t, p.RequestSite("GET", "www.example.com", "/"), 404, "Not Found\n")
	dns.set("www.example.com", "svc-pages-verification-code="+made.VerificationCode)
	expect(t, p.owner.Send("PUT", base+"/www.example.com/verify", ""), 200, "")
	p.waitForPage("www.example.com", "/", 200, "own")
	expect(t, p.RequestSite("GET", "WWW.Example.com:80", "/a/"), 200, "a")
	expect(t, p.RequestSite("GET", "www.example.com", "/web/"), 404, "Not Found\n")
	certificate, key := selfSigned(t, "www.example.com", time.Now().Add(time.Hour))
	expect(t, p.owner.JSON("PUT", base+"/www.example.com", form(t, "certificate", certificate, "key", key)), 200, "")
	if got := p.waitForPage("www.example.com", "/a/?b=c", 307, ""); got.Header.Get("Location") != "https://www.example.com/a/?b=c" {
		t.Error(got.Header)
	}
	_, safe := p.ServeSites()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(certificate))
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, network, safe)
		},
	}}
	res, err := client.Get("https://www.example.com/a/")
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != 200 {
		t.Error(res.Status)
	}
	for _, name := range []string{"other.example.com", acmeHost, ""} {
		if conn, err := tls.Dial("tcp", safe, &tls.Config{
			ServerName: name, MinVersion: tls.VersionTLS12, InsecureSkipVerify: true, //nolint:gosec // nothing is sent
		}); err == nil {
			conn.Close()
			t.Errorf("there is a certificate for %q", name)
		}
	}
	expect(t, p.owner.Send("DELETE", base+"/www.example.com", ""), 204, "")
	p.waitForPage("www.example.com", "/", 404, "")
}

func TestAnotherProcessServesTheSite(t *testing.T) {
	t.Parallel()
	p := newSiteProject(t)
	folder := t.TempDir()
	if err := os.Symlink(filepath.Join(p.Data, "blobs"), filepath.Join(folder, "blobs")); err != nil { // like a shared bucket
		t.Fatal(err)
	}
	other := harness.NewOnStore(t, p.Store, harness.Sites, func(c *config.Config) {
		c.Data, c.Storages = folder, []config.Storage{{Name: "default", Folder: filepath.Join(p.Data, "repositories")}}
	})
	p.publish(p.project, anArchive(t, "public/index.html", "one"))
	p.waitForPage(acmeHost, "/web/", 200, "one")
	answers := make(chan harness.Answer, 8)
	other.ServeSites()
	for range cap(answers) { // one request unpacks the archive for all
		go func() { answers <- other.RequestSite("GET", acmeHost, "/web/") }()
	}
	for range cap(answers) {
		expect(t, <-answers, 200, "one")
	}
	left, err := os.ReadDir(filepath.Join(folder, "pages", "drafts"))
	if err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}

func TestTheHostOfTheServiceIsNotAPagesDomain(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.URL = "http://git.example.org" })
	owner := h.NewUser()
	base := fmt.Sprintf("/projects/%d/pages/domains", h.Project(*owner.User.NamespaceID).ID)
	expect(t, owner.JSON("POST", base, `{"domain":"GIT.example.org"}`), 400, `{"message":{"domain":["git.example.org is restricted"]}}`)
}
