//go:build clients

package packages

import (
	"fmt"
	"strings"
	"testing"
)

func TestReleaseItPublishesUploadsAndPackages(t *testing.T) {
	t.Parallel()
	command := installed(t, "release-it@19.2.4") + "/release-it"
	p, _ := newHistory(t)
	p.post("/milestones", `{"title":"First"}`)
	p.clone("web")
	p.run("web", nil, "git", "config", "credential.helper", "!echo username=any; echo password="+p.developer.Token+"; #")
	p.write("web/package.json", `{"name":"web","version":"0.1.0","private":true}`)
	p.write("web/.gitignore", "dist\n")
	p.write("web/dist/tool.txt", "a tool")
	env := []string{"GITLAB_TOKEN=" + p.developer.Token}
	for i, version := range []string{"1.0.0", "1.1.0"} {
		p.write("web/.release-it.json", fmt.Sprintf(`{"npm":{"publish":false},"git":{"tagName":"v${version}"},"gitlab":{
			"release":true,"releaseName":"Web ${version}","origin":%q,"milestones":["First"],"assets":["dist/*.txt"],
			"useGenericPackageRepositoryForAssets":%t,"genericPackageRepositoryName":"web"}}`, p.h.URL, i == 1))
		p.run("web", nil, "git", "add", "-A")
		p.run("web", nil, "git", "commit", "-q", "-m", "Prepare "+version)
		out := p.run("web", env, command, version, "--ci", "--verbose")
		r := p.release("v" + version)
		if r.Name != "Web "+version || !strings.Contains(out, "/-/releases/v"+version) {
			t.Errorf("%+v\n%s", r, out)
		}
		p.expectAssets(r, map[string]string{"tool.txt": "a tool"})
	}
	wrong := []string{"GITLAB_TOKEN=wrong"}
	if out, err := p.try("web", wrong, command, "2.0.0", "--ci"); err == nil || !strings.Contains(out, "Could not authenticate") {
		t.Errorf("released with a wrong token: %s", out)
	}
}
