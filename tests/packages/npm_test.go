//go:build clients

package packages

import (
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestNPMPublishesTagsDeprecatesAndInstalls(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "npm", "npm")
	p := newPlace(t, model.Private)
	registry := p.url("npm") + "/"
	host := strings.TrimPrefix(p.h.URL, "http:")
	p.write(".npmrc", "registry="+registry+"\n"+strings.TrimPrefix(registry, "http:")+":_authToken="+p.developer.Token+"\n"+
		host+"/api/v4/:_authToken="+p.developer.Token+"\nupdate-notifier=false\nfund=false\n")
	p.write("demo/package.json", `{"name":"@acme/demo","version":"1.0.0","main":"index.js","dependencies":{"@acme/base":"^1.0.0"}}`)
	p.write("demo/index.js", "module.exports = 'demo of ' + require('@acme/base')\n")
	p.write("base/package.json", `{"name":"@acme/base","version":"1.2.0","main":"index.js"}`)
	p.write("base/index.js", "module.exports = 'base'\n")
	p.run("base", nil, "npm", "publish")
	p.run("demo", nil, "npm", "publish")
	if out, err := p.try("demo", nil, "npm", "publish"); err == nil || !strings.Contains(out, "Package already exists") &&
		!strings.Contains(out, "previously published") {
		t.Errorf("published twice: %v\n%s", err, out)
	}
	p.run("demo", nil, "npm", "version", "1.1.0-beta.1", "--no-git-tag-version")
	p.run("demo", nil, "npm", "publish", "--tag", "next")
	if out := p.run("demo", nil, "npm", "dist-tag", "ls", "@acme/demo"); !strings.Contains(out, "latest: 1.0.0") ||
		!strings.Contains(out, "next: 1.1.0-beta.1") {
		t.Error(out)
	}
	p.run("demo", nil, "npm", "dist-tag", "add", "@acme/demo@1.0.0", "stable")
	p.run("demo", nil, "npm", "dist-tag", "rm", "@acme/demo", "stable")
	p.run("demo", nil, "npm", "deprecate", "@acme/base@1.2.0", "use another one")

	for level, registry := range map[string]string{
		"project": registry, "group": p.h.URL + "/api/v4/groups/acme/-/packages/npm/", "instance": p.h.URL + "/api/v4/packages/npm/",
	} {
		app := "app-" + level
		p.write(app+"/package.json", `{"name":"app","version":"1.0.0","private":true}`)
		out := p.run(app, nil, "npm", "install", "--registry", registry, "--cache", p.folder+"/cache-"+level, "@acme/demo")
		if !strings.Contains(out, "use another one") {
			t.Errorf("%s: no warning in\n%s", level, out)
		}
		if got := p.run(app, nil, "node", "-p", "require('@acme/demo')"); got != "demo of base\n" {
			t.Errorf("%s: %s", level, got)
		}
	}
	p.write("stranger/.npmrc", "registry="+registry+"\n"+host+"/api/v4/:_authToken="+p.h.NewUser().Token+"\n")
	settings := []string{"npm_config_userconfig=" + p.folder + "/stranger/.npmrc"}
	if out, err := p.try("stranger", settings, "npm", "view", "@acme/demo"); err == nil {
		t.Errorf("a stranger sees\n%s", out)
	}
}
