package api

import (
	"archive/zip"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// goFixture is a project with a Go module at its top, one in a folder, and one of a second major version.
func goFixture(t *testing.T) (f packagesFixture, module string) {
	t.Helper()
	f = newPackagesFixture(t)
	at, err := url.Parse(f.h.URL)
	if err != nil {
		t.Fatal(err)
	}
	module = at.Hostname() + "/acme/web"
	history := harness.NewHistory(t)
	history.Write("go.mod", "module "+module+"\n")
	history.Write("web.go", "package web\n")
	history.Write("Upper.txt", "x")
	history.Write("LICENSE", "free")
	history.Write("tools/go.mod", "module "+module+"/tools\n")
	history.Write("tools/tools.go", "package tools\n")
	history.Commit("Ann <ann@example.com>", "Begin")
	history.Git("tag", "v1.0.0")
	history.Git("tag", "v1.1.0-rc.1")
	history.Git("tag", "tools/v0.2.0")
	history.Git("tag", "release")
	history.Write("go.mod", "module "+module+"/v2\n")
	history.Commit("Ann <ann@example.com>", "Second")
	history.Git("tag", "v2.0.0")
	history.Push(f.members[model.Maintainer], f.project, "main", "--tags")
	return f, module
}

func TestGoReadsModulesOfAProject(t *testing.T) {
	t.Parallel()
	f, module := goFixture(t)
	reporter := f.members[model.Reporter]
	base := f.base + "/packages/go/"
	get := func(path string, status int) string {
		t.Helper()
		got := reporter.Send("GET", base+path, "")
		expect(t, got, status, "")
		return got.Body
	}
	if got := get(module+"/@v/list", 200); got != "v1.0.0\nv1.1.0-rc.1" {
		t.Errorf("%q", got)
	}
	if got := get(module+"/v2/@v/list", 200); got != "v2.0.0" {
		t.Errorf("%q", got)
	}
	if got := get(module+"/tools/@v/list", 200); got != "v0.2.0" {
		t.Errorf("%q", got)
	}
	for path, want := range map[string]string{
		module + "/@latest": "v1.0.0", module + "/v2/@latest": "v2.0.0", module + "/tools/@latest": "v0.2.0",
		module + "/@v/v1.0.0.info": "v1.0.0", module + "/@v/release.info": "v1.1.0-rc.1", module + "/v2/@v/main.info": "v2.0.0",
		module + "/tools/@v/main.info": "v0.2.1-0.",
	} {
		if got := get(path, 200); !strings.HasPrefix(got, `{"Version":"`+want) {
			t.Errorf("%s: %s", path, got)
		}
	}
	commit := strings.Split(get(module+"/tools/@v/main.info", 200), `"`)[3]
	get(module+"/tools/@v/"+commit+".zip", 200)
	if got := get(module+"/@v/v1.0.0.mod", 200); got != "module "+module {
		t.Errorf("%q", got)
	}
	for path, want := range map[string]string{
		module + "/@v/v1.0.0":       "LICENSE Upper.txt go.mod web.go",
		module + "/tools/@v/v0.2.0": "LICENSE go.mod tools.go",
		module + "/v2/@v/v2.0.0":    "LICENSE Upper.txt go.mod web.go",
	} {
		text := get(path+".zip", 200)
		archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, file := range archive.File {
			name, version, _ := strings.Cut(path, "/@v/")
			inside, ok := strings.CutPrefix(file.Name, name+"@"+version+"/")
			if !ok {
				t.Errorf("%s has %s", path, file.Name)
			}
			names = append(names, inside)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	host, _, _ := strings.Cut(module, "/")
	for _, path := range []string{
		host + "/@v/list", host + "/acme/@v/list", host + "/acme/other/@v/list", module + "/@v/v9.0.0.info", module + "/@v/v2.0.0.info",
		module + "/@v/v1.0.0.txt", module + "/@v/release.mod", module + "/@v/release.zip", module + "/v3/@v/v3.0.0.info",
		module + "/missing/@v/v1.0.0.info", module + "/@v/v0.0.0-20240101000000-000000000000.info", module + "/@v/..%2f..%2fx.info",
		module + "/@v/--help.info", "x", host + "/Acme/web/@v/list", module + "/@v/.info", module + "/@v/v1.0.info",
	} {
		get(path, 404)
	}
	upper := strings.Replace(module, "acme", "!acme", 1)
	get(upper+"/@v/list", 404)
	get(strings.Replace(upper, "!", "%21", 1)+"/@v/list", 404)
}

func TestGoGetsNoChallenge(t *testing.T) {
	t.Parallel()
	f, module := goFixture(t)
	path := f.base + "/packages/go/" + module + "/@v/list"
	for name, c := range map[string]*harness.Caller{
		"anonymous": f.h.Anonymous(), "a wrong token": f.h.WithHeaders("Authorization", basicHeader("ann", "wrong")),
		"a stranger": f.h.NewUser(),
	} {
		got := c.Send("GET", path, "")
		if got.Status != 404 || got.Header.Get("WWW-Authenticate") != "" {
			t.Errorf("%s: %d %v", name, got.Status, got.Header)
		}
	}
	expect(t, f.members[model.Guest].Send("GET", path, ""), 403, "")
	expect(t, f.members[model.Owner].Send("PUT", path, "x"), 405, "")
	login, token := f.deployToken(f.base, "read_package_registry")
	expect(t, f.h.WithHeaders("Authorization", basicHeader(login, token)).Send("GET", path, ""), 200, "")

	// Packages of a public project whose code is for members only.
	outside := f.h.Group(seen(model.Public))
	public := f.h.Project(outside.ID, called("open", model.Public), func(p *model.Project) {
		p.RepositoryAccessLevel = model.FeaturePrivate
	})
	host, _, _ := strings.Cut(module, "/")
	closed := fmt.Sprintf("/projects/%d/packages/go/%s/%s/@v/list", public.ID, host, public.FullPath)
	expect(t, f.h.NewUser().Send("GET", closed, ""), 403, "")
}
