package browser

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

// codeProject makes a project of a user with some code.
func codeProject(t *testing.T, h *harness.H, owner *harness.Caller, edit ...func(*model.Project)) model.Project {
	t.Helper()
	project := h.Project(*owner.User.NamespaceID, append([]func(*model.Project){func(p *model.Project) {
		p.Name, p.Path, p.Visibility = "Roof", "roof", model.Internal
	}}, edit...)...)
	local := harness.NewHistory(t)
	local.Write("README.md", "# Roof\n\nA *roof* with `code`, [links](docs/guide.md) and a table:\n\n"+
		"| Beam | Length |\n|---|--:|\n| oak | 3 m |\n\n"+
		"- [x] plan\n- [ ] build\n\n```go\n// main starts.\nfunc main() { println(\"hi\", 42) }\n```\n\n> A quote.\n")
	local.Write("docs/guide.md", "# Guide\n")
	local.Write("main.go", "package main\n\nimport \"fmt\"\n\n"+
		"// main prints a greeting, which is a rather long line that does not fit on the screen of a phone.\n"+
		"func main() {\n\tfor i := range 10 {\n\t\tfmt.Println(\"hello\", i, true, nil)\n\t}\n}\n")
	local.Write("long.txt", strings.Repeat("a line of a long file\n", 3000))
	local.Commit("Ann Lee <ann@example.com>", "Lay the beams\n\nWith care.")
	local.Git("tag", "-a", "v1.0", "-m", "The first roof")
	local.Write("main.go", "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n")
	local.Commit("Bob <bob@example.com>", "Paint the roof in a colour that everybody likes, which took a long discussion")
	local.Git("branch", "feature/chimney")
	local.Push(owner, project)
	return project
}

func TestThePagesOfCodeAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword(func(u *model.User) { u.Name = "Ann Lee" })
	project := codeProject(t, h, owner)
	empty := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Name, p.Path = "Empty", "empty" })
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	root := "/" + project.FullPath
	b.accessible("", []shown{
		{root, "project"},
		{root + "/-/commits", "commits-default"},
		{root + "/-/compare", "compare-form"},
		{root + "/-/forks", "forks"},
		{root + "/-/search?scope=commits&search=roof", "search-commits"},
		{"/" + empty.FullPath, "project-empty"},
		{root + "/-/tree/main/docs", "tree"},
		{root + "/-/blob/main/main.go", "blob"},
		{root + "/-/blob/main/README.md", "blob-markdown"},
		{root + "/-/blob/main/long.txt", "blob-long"},
		{root + "/-/blame/main/main.go", "blame"},
		{root + "/-/commits/main", "commits"},
		{root + "/-/commit/main", "commit"},
		{root + "/-/compare/v1.0...main", "compare"},
		{root + "/-/branches", "branches"},
		{root + "/-/tags", "tags"},
		{root + "/-/tags/v1.0", "tag"},
		{root + "/-/search?search=hello", "search"},
	})
	b.visit(root + "/-/tree/none")
	b.accessibleHere(shown{root + "/-/tree/none", "not-found"})
}

func TestChangesAreLoadedIntoThePage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := codeProject(t, h, owner, func(p *model.Project) { p.Visibility = model.Public })
	b := open(t, h)
	b.visit("/" + project.FullPath + "/-/commit/v1.0")
	b.run(chromedp.Click(chromedp.CSS("a[data-load]")))
	b.until(`document.querySelector("a[data-more]") && document.activeElement.className === "lines"`)
	for b.number(`document.querySelectorAll("a[data-more]").length`) > 0 {
		before := b.number(`document.querySelectorAll(".diff .lines .a").length`)
		b.run(chromedp.Click(chromedp.CSS("a[data-more]")))
		b.until(fmt.Sprintf(`document.querySelectorAll(".diff .lines .a").length > %v`, before))
	}
	if n := b.number(`document.querySelectorAll(".diff .lines .a").length`); n < 3000 {
		t.Errorf("%v lines are shown", n)
	}
	if at := get(b, chromedp.Location()); strings.Contains(at, "file=") {
		t.Errorf("the page is %s", at)
	}
}

func TestALinkToALineOpensItsPage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := codeProject(t, h, owner, func(p *model.Project) { p.Visibility = model.Public })
	b := open(t, h)
	b.visit("/" + project.FullPath + "/-/blob/main/long.txt#L2500")
	b.until(`document.getElementById("L2500")?.classList.contains("on") && location.search === "?page=3"`)
	b.visit("/" + project.FullPath)
	b.until(`document.querySelector("main time[data-ago]").textContent === "just now"`)
}
