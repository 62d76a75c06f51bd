//go:build clients

package packages

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/program"
)

// glab is the command-line client of this API.
var glab = &program.Program{
	What: "glab", Name: "glab", Variable: "SVC_TEST_GLAB", Installed: []string{"glab"},
	Module: "github.com/profclems/glab", Version: "v1.22.0", Package: "./cmd/glab",
}

func TestGlabManagesReleases(t *testing.T) {
	t.Parallel()
	command := glab.Path(t)
	p, _ := newHistory(t)
	p.clone("web")
	p.write("web/tool.txt", "a tool")
	p.write("web/notes.md", "Many notes")
	host := strings.TrimPrefix(p.h.URL, "http://")
	env := []string{"NO_COLOR=1"}
	// glab compares remotes with hosts without their ports.
	p.write(".config/glab-cli/config.yml", "git_protocol: http\ncheck_update: false\nhost: 127.0.0.1\nhosts:\n  127.0.0.1"+
		":\n    api_protocol: http\n    api_host: "+host+"\n    token: "+p.developer.Token+"\n")
	if a := p.developer.Send("PUT", "/projects/acme%2Fweb/packages/generic/tool/1.0/page.txt", "a page"); a.Status != 201 {
		t.Fatal(a.Body)
	}
	out := p.run("web", env, command, "release", "create", "v1.0", "tool.txt#A tool", "-n", "One", "-F", "notes.md", "-r", "main",
		"-a", fmt.Sprintf(`[{"name":"page.txt","url":%q,"link_type":"package"}]`, p.url("generic")+"/tool/1.0/page.txt"))
	r := p.release("v1.0")
	if r.Name != "One" || r.Description != "Many notes" || len(r.Assets.Links) != 2 {
		t.Errorf("%+v\n%s", r, out)
	}
	for _, link := range r.Assets.Links {
		want := "a page"
		if link.Name == "A tool" {
			want, link.URL = "a tool", strings.Replace(link.URL, "https://127.0.0.1/", p.h.URL+"/", 1) // it expects the usual port
		}
		if got := p.download(link.URL); got != want {
			t.Errorf("%s: %q", link.URL, got)
		}
	}
	p.run("web", env, command, "release", "create", "v1.0", "-n", "Another name", "-N", "Other notes")
	if r := p.release("v1.0"); r.Name != "Another name" || r.Description != "Other notes" {
		t.Errorf("%+v", r)
	}
	if out := p.run("web", env, command, "release", "list"); !strings.Contains(out, "v1.0") || !strings.Contains(out, "Another name") {
		t.Error(out)
	}
	if out := p.run("web", env, command, "release", "view", "v1.0"); !strings.Contains(out, "Other notes") {
		t.Error(out)
	}
	p.write("got/other", "")
	out = p.run("web", env, command, "release", "download", "v1.0", "--asset-name", "page.txt", "--asset-name", "*.tar",
		"--include-external", "--dir", p.folder+"/got")
	if page, tar := p.read("got/page.txt"), p.read("got/web-v1.0.tar"); page != "a page" || !strings.Contains(tar, "web-v1.0/README.md") {
		t.Errorf("%s\n%s\n%.20s", out, page, tar)
	}
	p.run("web", env, command, "release", "delete", "v1.0", "-y")
	if a := p.developer.Send("GET", "/projects/acme%2Fweb/releases/v1.0", ""); a.Status != 404 {
		t.Error(a.Status, a.Body)
	}
}
