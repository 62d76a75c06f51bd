//go:build clients

package packages

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestGoGetsModulesFromTheProxy(t *testing.T) {
	t.Parallel()
	p := newPlace(t, model.Public) // Go sends credentials over https only
	at, err := url.Parse(p.h.URL)
	if err != nil {
		t.Fatal(err)
	}
	module := at.Hostname() + "/acme/web"
	history := harness.NewHistory(t)
	history.Write("go.mod", "module "+module+"\n\ngo 1.20\n")
	history.Write("web.go", "package web\n\nfunc Name() string { return \"web\" }\n")
	history.Write("tools/go.mod", "module "+module+"/tools\n\ngo 1.20\n\nrequire "+module+" v1.0.0\n")
	history.Write("tools/tools.go", "package tools\n\nimport \""+module+"\"\n\nfunc Name() string { return \"tools of \" + web.Name() }\n")
	history.Commit("Ann <ann@example.com>", "Begin")
	history.Git("tag", "v1.0.0")
	history.Git("tag", "tools/v0.2.0")
	history.Write("web.go", "package web\n\nfunc Name() string { return \"newer web\" }\n")
	history.Commit("Ann <ann@example.com>", "Newer")
	history.Push(p.developer, p.project, "main", "--tags")

	cache := p.run(".", []string{"HOME=" + os.Getenv("HOME"), "GOCACHE=" + os.Getenv("GOCACHE")}, "go", "env", "GOCACHE")
	env := []string{
		"GOPROXY=" + p.url("go"), "GONOSUMDB=*", "GOFLAGS=-mod=mod -modcacherw", "GOTOOLCHAIN=local", "GOPATH=" + p.folder + "/go",
		"GOCACHE=" + strings.TrimSpace(cache), "CGO_ENABLED=0",
	}
	p.write("app/go.mod", "module example.com/app\n\ngo 1.20\n")
	p.write("app/main.go", "package main\n\nimport \""+module+"/tools\"\n\nfunc main() { println(tools.Name()) }\n")
	p.run("app", env, "go", "get", module+"/tools@latest")
	if got := p.run("app", env, "go", "run", "."); !strings.HasSuffix(got, "tools of web\n") {
		t.Error(got)
	}
	p.run("app", env, "go", "get", module+"@main")
	if got := p.run("app", env, "go", "run", "."); !strings.HasSuffix(got, "tools of newer web\n") {
		t.Error(got)
	}
	if got := p.run("app", env, "go", "list", "-m", "-versions", module); strings.TrimSpace(got) != module+" v1.0.0" {
		t.Error(got)
	}
	if out, err := p.try("app", env, "go", "get", module+"@v9.0.0"); err == nil {
		t.Error(out)
	}
}
