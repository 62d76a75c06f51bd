package sitehttp

import (
	"archive/zip"
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/naming"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/store/observe"
	"svc/store/secret"
	"svc/store/storetest"
)

// bench is a server of sites with the project acme/web.
type bench struct {
	*Server
	t       *testing.T
	blobs   blob.Store
	owner   model.User
	project model.Project
}

func newBench(t *testing.T) *bench {
	t.Helper()
	st := storetest.New(t)
	blobs, err := blob.Open("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, blobs: blobs, owner: storetest.User(t, st, func(u *model.User) { u.Username = "Acme" })}
	b.project = storetest.Project(t, st, b.owner, func(p *model.Project) { p.Path, p.PagesAccessLevel = "Web", model.FeaturePublic })
	b.Server = b.serverOn(st)
	return b
}

func (b *bench) serverOn(st *store.Store) *Server {
	b.t.Helper()
	keys, err := secret.NewVault(strings.Repeat("k", 32), "keys of sites")
	if err != nil {
		b.t.Fatal(err)
	}
	s, err := New(Dependencies{
		Store: st, Auth: access.NewAuthenticator(st, access.NewUsage(st), true), Access: access.New(st), Blobs: b.blobs,
		Keys: keys, Folder: filepath.Join(b.t.TempDir(), "pages"),
		Finder: NewFinder(st, "pages.example.net", naming.NewSites("key"), Addresses{
			Below: func(label string) string { return "http://" + label + ".pages.example.net" },
			Own:   func(host string, _ bool) string { return "http://" + host },
		}),
		TLS: true, TLSPort: 8443, Logger: slog.New(slog.DiscardHandler), Served: &observe.Served{},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// publish publishes pairs of names and texts as the site of a project, by a later job than before.
func (b *bench) publish(p model.Project, job int64, files ...string) model.PagesDeployment {
	b.t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.t.Fatal(err)
	}
	d := model.PagesDeployment{ProjectID: p.ID, JobID: job, Root: "public", Key: blob.PagesKey(), FileCount: int64(len(files) / 2)}
	if err := b.Store.JobArtifacts.ScheduleRemoval(b.t.Context(), d.Key, time.Now().UTC().Add(time.Hour)); err != nil {
		b.t.Fatal(err)
	}
	var err error
	if d.PackedSize, err = b.blobs.Put(b.t.Context(), d.Key, &out); err != nil {
		b.t.Fatal(err)
	}
	if ok, err := b.Store.PagesDeployments.Publish(b.t.Context(), &d); err != nil || !ok {
		b.t.Fatal(ok, err)
	}
	b.Finder.sites.Clear()
	return d
}

func (b *bench) get(host, path string, pairs ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	return ask(b.Server, "GET", host, path, pairs...)
}

func ask(s *Server, method, host, path string, pairs ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://x"+path, nil)
	r.Host = host
	for i := 0; i+1 < len(pairs); i += 2 {
		r.Header.Set(pairs[i], pairs[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const acme = "acme.pages.example.net"

// A missing site is an answer like others. A site whose archive is damaged is a failure.
func TestRequestsForSitesAreCounted(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.get(acme, "/web/")
	published := b.publish(b.project, 1, "index.html", "home")
	if _, err := b.blobs.Put(t.Context(), published.Key, strings.NewReader("damaged")); err != nil {
		t.Fatal(err)
	}
	if got := b.get(acme, "/web/"); got.Code != 500 {
		t.Error(got.Code)
	}
	b.publish(b.project, 2, "index.html", "home")
	if got := b.get(acme, "/web/"); got.Code != 200 {
		t.Error(got.Code)
	}
	count, _, _ := b.Served.Times.Read()
	if succeeded, failed := b.Served.Outcomes.Read(); count != 3 || succeeded != 2 || failed != 1 {
		t.Errorf("%d requests, %d succeeded, %d failed", count, succeeded, failed)
	}
}

func TestFilesOfASite(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if got := b.get(acme, "/web/"); got.Code != 404 {
		t.Error(got.Code)
	}
	b.publish(
		b.project, 1, "index.html", "home", "about.html", "about", "docs/index.html", "docs", "docs/a.css", "body{}",
		"404.html", "lost", "app.js", "let", "app.js.gz", "gz", "app.js.br", "br", "LICENSE", "plain",
	)
	for path, want := range map[string]string{
		"/web/": "home", "/WEB/index.html": "home", "/web/about": "about", "/web/docs/": "docs",
		"/web/docs/a.css": "body{}", "/web/LICENSE": "plain", "/web/app.js": "let",
	} {
		if got := b.get(acme, path); got.Code != 200 || got.Body.String() != want ||
			got.Header().Get("X-Content-Type-Options") != "nosniff" ||
			got.Header().Get("Cache-Control") != "max-age=600" {
			t.Errorf("%s: %d %q %v", path, got.Code, got.Body, got.Header())
		}
	}
	checkMissingFiles(t, b)
	for path, want := range map[string]string{"/web": "/web/", "/web/docs": "/web/docs/", "/web/docs?a=b": "/web/docs/?a=b"} {
		if got := b.get(acme, path); got.Code != 302 || got.Header().Get("Location") != want {
			t.Errorf("%s: %d %v", path, got.Code, got.Header())
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if got := ask(b.Server, method, acme, "/web/"); got.Code != 405 || got.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d", method, got.Code)
		}
	}
}

// checkMissingFiles asks for files that a site does not have, and for sites that do not exist.
func checkMissingFiles(t *testing.T, b *bench) {
	t.Helper()
	for _, path := range []string{
		"/web/none", "/web/../web/index.html", "/web/%2e%2e/x", "/web/..%2f..%2fetc%2fpasswd", "/web/..%5cx",
		"/web/%2fetc/passwd", "/web//index.html", "/web/./index.html", "/web/index.html/",
		"/web/docs/a.css/x", "/web/" + strings.Repeat("a", 300), "/web/%0a",
	} {
		if got := b.get(acme, path); got.Code != 404 || got.Body.String() != "lost" {
			t.Errorf("%s: %d %q", path, got.Code, got.Body)
		}
	}
	for _, at := range [][2]string{
		{acme, "/"},
		{acme, "/%00/"},
		{acme, "/%ff"},
		{acme, "/" + strings.Repeat("a/", 3000)},
		{"other.pages.example.net", "/web/"},
		{"pages.example.net", "/web/"},
		{"", "/"},
		{"www.example.com", "/web/"},
	} {
		if got := b.get(at[0], at[1]); got.Code != 404 || got.Body.String() != "Not Found\n" {
			t.Errorf("%.50v: %d %q", at, got.Code, got.Body)
		}
	}
}

func TestFormsAndPartsOfAFile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(b.project, 1, "app.js", "let", "app.js.gz", "gz", "app.js.br", "br")
	for accept, want := range map[string]string{"gzip": "gz", "gzip, br": "br", "br;q=0, gzip": "gz", "gzip;q=0": "let", "": "let"} {
		got := b.get(acme, "/web/app.js", "Accept-Encoding", accept)
		if got.Body.String() != want || got.Header().Get("Vary") != "Accept-Encoding" ||
			(want == "let") != (got.Header().Get("Content-Encoding") == "") {
			t.Errorf("%q: %q %v", accept, got.Body, got.Header())
		}
	}
	tag := b.get(acme, "/web/app.js").Header().Get("ETag")
	if got := b.get(acme, "/web/app.js", "If-None-Match", tag); got.Code != 304 || tag == "" {
		t.Errorf("%s: %d", tag, got.Code)
	}
	if got := b.get(acme, "/web/app.js", "Range", "bytes=1-1"); got.Code != 206 || got.Body.String() != "e" {
		t.Errorf("%d %q", got.Code, got.Body)
	}
}

func TestASiteIsReplacedAndGoes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := b.publish(b.project, 5, "index.html", "first")
	if got := b.get(acme, "/web/"); got.Body.String() != "first" {
		t.Fatal(got.Code, got.Body)
	}
	old := model.PagesDeployment{ProjectID: b.project.ID, JobID: 4, Key: blob.PagesKey()}
	if ok, err := b.Store.PagesDeployments.Publish(t.Context(), &old); ok || err != nil {
		t.Errorf("an older job: %t, %v", ok, err)
	}
	b.publish(b.project, 6, "index.html", "second")
	if got := b.get(acme, "/web/"); got.Body.String() != "second" {
		t.Fatal(got.Code, got.Body)
	}
	due, err := b.Store.JobArtifacts.ListRemovals(t.Context(), time.Now().UTC(), 10)
	if err != nil || len(due) != 1 || due[0] != first.Key {
		t.Errorf("%v, %v", due, err)
	}
	place := filepath.Join(b.Folder, filepath.Base(first.Key))
	for round, want := range []bool{true, false} {
		if err := b.tidy(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(place); (err == nil) != want {
			t.Errorf("round %d: %v", round, err)
		}
	}
	if got := b.get(acme, "/web/"); got.Body.String() != "second" {
		t.Error(got.Code, got.Body)
	}
	if err := b.Store.Projects.Delete(t.Context(), b.project.ID, nil); err != nil {
		t.Fatal(err)
	}
	b.Finder.sites.Clear()
	if got := b.get(acme, "/web/"); got.Code != 404 {
		t.Error(got.Code)
	}
}

func TestManyAskAtOnceAndAnotherProcessServesIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	d := b.publish(b.project, 1, "index.html", "hello")
	other := b.serverOn(b.Store)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			s := b.Server
			if i%2 == 1 {
				s = other
			}
			if got := ask(s, "GET", acme, "/web/"); got.Code != 200 || got.Body.String() != "hello" {
				t.Errorf("%d %q", got.Code, got.Body)
			}
		})
	}
	wait.Wait()
	// The folder of one server is lost: the site is unpacked again.
	if err := os.RemoveAll(filepath.Join(other.Folder, filepath.Base(d.Key))); err != nil {
		t.Fatal(err)
	}
	if got := ask(other, "GET", acme, "/web/"); got.Code != 200 {
		t.Error(got.Code)
	}
	left, err := os.ReadDir(filepath.Join(other.Folder, drafts))
	if err != nil || len(left) != 0 {
		t.Error(left, err)
	}
}

func TestWhoSeesWhat(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(b.project, 1, "index.html", "hello")
	own, stranger := storetest.Token(t, b.Store, b.owner, "read_api"), storetest.Token(t, b.Store, storetest.User(t, b.Store), "api")
	weak := storetest.Token(t, b.Store, b.owner, "read_user")
	callers := [][]string{
		nil,
		{"PRIVATE-TOKEN", stranger},
		{"PRIVATE-TOKEN", own},
		{"Authorization", "Bearer " + own},
		{"PRIVATE-TOKEN", weak},
		{"PRIVATE-TOKEN", "wrong"},
		{"JOB-TOKEN", "wrong"},
	}
	for _, c := range []struct {
		visibility model.Visibility
		level      model.FeatureAccess
		want       []int
	}{
		{model.Private, model.FeaturePrivate, []int{404, 404, 200, 200, 404, 404, 404}},
		{model.Private, model.FeatureEnabled, []int{404, 404, 200, 200, 404, 404, 404}},
		{model.Private, model.FeaturePublic, []int{200, 200, 200, 200, 200, 200, 200}},
		{model.Internal, model.FeatureEnabled, []int{404, 200, 200, 200, 404, 404, 404}},
		{model.Public, model.FeatureEnabled, []int{200, 200, 200, 200, 200, 200, 200}},
		{model.Public, model.FeaturePrivate, []int{404, 404, 200, 200, 404, 404, 404}},
		{model.Public, model.FeatureDisabled, []int{404, 404, 404, 404, 404, 404, 404}},
	} {
		if err := b.Store.Projects.Update(
			t.Context(), b.project.ID, map[string]any{"visibility": c.visibility, "pages_access_level": c.level},
		); err != nil {
			t.Fatal(err)
		}
		b.Finder.sites.Clear()
		for i, header := range callers {
			if got := b.get(acme, "/web/", header...); got.Code != c.want[i] {
				t.Errorf("project %d, site %s, caller %d: %d, want %d", c.visibility, c.level, i, got.Code, c.want[i])
			}
		}
	}
}

func TestNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.publish(b.project, 1, "index.html", "own", "a/index.html", "a")
	token, answer := "token", "token.thumbprint"
	d := model.PagesDomain{
		ProjectID: b.project.ID, Domain: "www.example.com", VerificationCode: "x", ChallengeToken: &token,
		ChallengeAnswer: &answer,
	}
	if err := b.Store.PagesDomains.Create(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
	set := func(columns map[string]any) {
		t.Helper()
		if _, err := b.Store.PagesDomains.Update(t.Context(), d, columns); err != nil {
			t.Fatal(err)
		}
		b.Finder.sites.Clear()
	}
	if got := b.get("www.example.com", "/"); got.Code != 404 {
		t.Error("it is not proved", got.Code)
	}
	for _, c := range []struct {
		host, path string
		status     int
	}{
		{"www.example.com:80", challengePath + token, 200},
		{"www.example.com", challengePath + "other", 404},
		{"other.example.com", challengePath + token, 404},
		{"www.example.com", challengePath, 404},
	} {
		if got := b.get(c.host, c.path); got.Code != c.status || c.status == 200 && got.Body.String() != answer {
			t.Errorf("%s%s: %d %s", c.host, c.path, got.Code, got.Body)
		}
	}
	soon := time.Now().UTC().Add(time.Hour)
	set(map[string]any{"enabled_until": soon})
	if got := b.get("WWW.example.com.", "/a/"); got.Code != 200 || got.Body.String() != "a" {
		t.Error(got.Code, got.Body)
	}
	set(map[string]any{"certificate": "x", "certificate_until": soon})
	if got := b.get("www.example.com", "/a/?b=c"); got.Code != http.StatusTemporaryRedirect ||
		got.Header().Get("Location") != "https://www.example.com:8443/a/?b=c" {
		t.Error(got.Code, got.Header())
	}
	if got := b.get("www.example.com", challengePath+token); got.Code != 200 {
		t.Error("the authority is sent away", got.Code)
	}
	set(map[string]any{"enabled_until": time.Now().UTC().Add(-time.Second)})
	if got := b.get("www.example.com", "/"); got.Code != 404 {
		t.Error("the proof is over", got.Code)
	}
}
