package git

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestWikisAndSnippetsAreCloned(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(n *model.Namespace) { n.Path = "acme" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path = "web" })
	dev, stranger := h.Member(g, model.Developer), h.NewUser()
	page := `{"title":"home","content":"hello"}`
	for _, call := range [][2]string{
		{fmt.Sprintf("/projects/%d/wikis", p.ID), page},
		{fmt.Sprintf("/groups/%d/wikis", g.ID), page},
		{"/snippets", `{"title":"t","content":"hello","file_name":"home.md"}`},
		{fmt.Sprintf("/projects/%d/snippets", p.ID), `{"title":"t","content":"hello","file_name":"home.md"}`},
	} {
		if got := dev.JSON("POST", call[0], call[1]); got.Status != 201 {
			t.Fatalf("%s: %d %s", call[0], got.Status, got.Body)
		}
	}
	for _, path := range []string{"acme/web.wiki", "acme.wiki", "snippets/1", "acme/web/snippets/2"} {
		folder := t.TempDir()
		must(t, folder, "clone", "-q", remote(h, "oauth2", dev.Token, path), "clone")
		if got, err := os.ReadFile(filepath.Join(folder, "clone", "home.md")); err != nil || string(got) != "hello" {
			t.Errorf("%s: %q %v", path, got, err)
		}
		refused(t, "", folder, "clone", "-q", remote(h, "oauth2", stranger.Token, path), "other")
		refused(t, "", folder, "clone", "-q", remote(h, "", "", path), "another")
		refused(
			t, "changed through the API", filepath.Join(folder, "clone"), "push", "-q",
			remote(h, "oauth2", dev.Token, path), "HEAD:refs/heads/other",
		)
	}
	for _, path := range []string{"acme/none.wiki", "acme/web/snippets/1", "snippets/2", "snippets/99", "snippets/x", "1.wiki"} {
		refused(t, "", t.TempDir(), "clone", "-q", remote(h, "oauth2", dev.Token, path), "clone")
	}
}
