//go:build clients

package packages

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// installed returns the folder with the commands of npm packages. It installs them once, into the user's cache.
func installed(t *testing.T, packages ...string) string {
	t.Helper()
	harness.RequireProgram(t, "npm", "npm")
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	name := strings.NewReplacer("/", "-", "@", "-").Replace(strings.TrimPrefix(strings.Join(packages, "+"), "@"))
	folder := filepath.Join(cache, "svc-tests", name)
	if _, err := os.Stat(folder); err == nil {
		return filepath.Join(folder, "node_modules", ".bin")
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o755); err != nil {
		t.Fatal(err)
	}
	scratch, err := os.MkdirTemp(filepath.Dir(folder), "install-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(scratch)
	args := append([]string{"install", "--silent", "--no-audit", "--no-fund", "--prefix", scratch}, packages...)
	if out, err := exec.CommandContext(t.Context(), "npm", args...).CombinedOutput(); err != nil {
		t.Fatalf("npm %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	if err := os.Rename(scratch, folder); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "node_modules", ".bin")
}

// clone makes a clone of the project in a folder, as a user would: with a remote that has no credentials.
func (p place) clone(folder string) {
	p.t.Helper()
	remote := p.h.URL + "/" + p.project.FullPath + ".git"
	p.run(".", nil, "git", "clone", "-q", strings.Replace(remote, "://", "://oauth2:"+p.developer.Token+"@", 1), folder)
	p.run(folder, nil, "git", "remote", "set-url", "origin", remote)
	p.run(folder, nil, "git", "config", "user.name", "Ann")
	p.run(folder, nil, "git", "config", "user.email", "ann@example.com")
}

// release is a release of the project, as its links show it.
type release struct {
	Name        string
	TagName     string `json:"tag_name"`
	Description string
	Assets      struct {
		Links []struct {
			Name, URL      string
			DirectAssetURL string `json:"direct_asset_url"`
			LinkType       string `json:"link_type"`
		}
	}
}

// release reads a release of the project.
func (p place) release(tag string) release {
	p.t.Helper()
	a := p.developer.Send("GET", "/projects/acme%2Fweb/releases/"+tag, "")
	var r release
	if err := json.Unmarshal([]byte(a.Body), &r); err != nil || a.Status != 200 {
		p.t.Fatal(a.Status, a.Body, err)
	}
	return r
}

// expectAssets compares the content behind each link of a release with the content of the files, by the names of the
// links.
func (p place) expectAssets(r release, want map[string]string) {
	p.t.Helper()
	if len(r.Assets.Links) != len(want) {
		p.t.Errorf("%+v", r.Assets.Links)
	}
	for _, link := range r.Assets.Links {
		for _, address := range []string{link.URL, link.DirectAssetURL} {
			if got := p.download(address); got != want[link.Name] {
				p.t.Errorf("%s at %s: %q", link.Name, address, got)
			}
		}
	}
}

// download reads an address with the token of the developer.
func (p place) download(address string) string {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", p.developer.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 {
		p.t.Errorf("%s: %d %v", address, res.StatusCode, err)
	}
	return string(text)
}

// newHistory returns a private project with one commit of the type that semantic-release publishes.
func newHistory(t *testing.T) (place, *harness.History) {
	t.Helper()
	p := newPlace(t, model.Private)
	p.h.StartWorker()
	history := harness.NewHistory(t)
	history.Write("README.md", "# Web\n")
	history.Commit("Ann <ann@example.com>", "feat: begin")
	history.Push(p.developer, p.project, "main")
	return p, history
}
