package wiki_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"svc/server/domain/repository/wiki"
	"svc/store/git"
)

func TestTitlesBecomeSlugs(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"home": "home", "First steps": "First-steps", "/guides/First steps/": "guides/First-steps", " a / b ": "a/b",
		"Über uns": "Über-uns", "_sidebar": "_sidebar",
		"": "", " ": "", "/": "", "..": "", "a/../b": "", "a//b": "", ".git/config": "", ".hidden": "", "a\x00b": "",
		"a\nb": "", "\xff": "",
		strings.Repeat("x", 201): "", strings.Repeat("a/", 20) + "a": "", strings.Repeat("abcd/", 210): "",
	} {
		got, err := wiki.Slug(title)
		if got != want || (want == "") != errors.Is(err, wiki.ErrBadTitle) {
			t.Errorf("%q: %q %v, not %q", title, got, err, want)
		}
	}
}

func TestPagesAreFilesOfTheirFormats(t *testing.T) {
	t.Parallel()
	all, err := git.Open(map[string]string{"default": t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(all.Close)
	repo, ctx := all.GroupWiki("default", 1), t.Context()
	if err := repo.Create("main"); err != nil {
		t.Fatal(err)
	}
	var changes []git.Change
	for _, path := range []string{"home.md", "dir/a-b.org", "dir/page.adoc", "notes.txt", "x.RDOC", ".md"} {
		changes = append(changes, git.Change{Action: git.ActionCreate, Path: path, Content: []byte(path)})
	}
	who := git.Person{Name: "Ann", Email: "ann@example.com", When: time.Now()}
	commit, err := repo.WriteCommit(ctx, git.NewCommit{Author: who, Committer: who, Message: "m", Changes: changes})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := wiki.List(ctx, repo, commit)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pages {
		got = append(got, p.Slug+"|"+p.Title+"|"+p.Format)
	}
	if want := "dir/a-b|a b|org dir/page|page|asciidoc home|home|markdown x|x|rdoc"; strings.Join(got, " ") != want {
		t.Errorf("%q", got)
	}
	checkFind(t, repo, commit)
	format := wiki.AsciiDoc
	if p, list, err := wiki.Update(ctx, repo, commit, "home", nil, &format, nil); err != nil || p.Path != "home.asciidoc" ||
		list[0].Previous != "home.md" {
		t.Errorf("%+v %+v %v", p, list, err)
	}
	if _, _, err := wiki.Create(ctx, repo, commit, "home", wiki.Org, ""); !errors.Is(err, wiki.ErrTaken) {
		t.Error(err)
	}
}

// checkFind looks for a page, and for files and folders that are no pages.
func checkFind(t *testing.T, repo git.Repo, commit string) {
	t.Helper()
	ctx := t.Context()
	if p, err := wiki.Find(ctx, repo, commit, "dir/page"); err != nil || p.Path != "dir/page.adoc" {
		t.Errorf("%+v %v", p, err)
	}
	for _, slug := range []string{"", "notes", "dir", "none/page", "../home", "home/x"} {
		if _, err := wiki.Find(ctx, repo, commit, slug); !errors.Is(err, wiki.ErrNotFound) {
			t.Errorf("%s: %v", slug, err)
		}
	}
}
