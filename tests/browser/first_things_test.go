package browser

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

// follow clicks a link or a button with the given text, and waits for a page whose heading begins with the given text.
func (b *tab) follow(text, heading string) {
	b.t.Helper()
	found := chromedp.Search(`//*[self::a or self::button][normalize-space()="` + text + `"]`)
	b.leave(fmt.Sprintf(".startsWith(%q)", heading), chromedp.Click(found))
}

// write replaces the text of a field.
func (b *tab) write(field, text string) {
	b.t.Helper()
	b.run(
		chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).select()", field)),
		chromedp.SendKeys(chromedp.CSS(field), text),
	)
}

// says checks that the page has a text.
func (b *tab) says(text string) {
	b.t.Helper()
	if page := b.text("main"); !strings.Contains(page, text) {
		b.t.Errorf("%s does not say %q:\n%s", get(b, chromedp.Location()), text, page)
	}
}

// A new person does the first ten things with nothing but a browser: a project, a file, a branch, a merge request, a comment,
// the merge, an issue, a token, a runner and a pipeline.
func TestTheFirstTenThingsAreDoneInABrowser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword().User
	b := open(t, h)
	signIn(b, u, "Your projects")
	b.run(chromedp.EmulateViewport(1280, 900))

	b.follow("New project", "New project")
	b.write("#name", "Roof")
	b.follow("Create project", "Roof")
	b.says("The project was made.")

	b.follow("README.md", "README.md")
	b.follow("Edit", "Edit README.md")
	b.write("#content", "# Roof\n\nIt keeps the rain out.\n")
	b.follow("Commit", "README.md")
	b.says("It keeps the rain out.")

	b.follow("Branches", "Branches")
	b.follow("New branch", "New branch")
	b.write("#branch", "chimney")
	b.follow("Create branch", "chimney")
	b.follow("New file", "New file")
	b.write("#file", "chimney.txt")
	b.write("#content", "bricks\nsmoke\n")
	b.follow("Commit", "chimney.txt")

	mergeInABrowser(b)
	issueInABrowser(b)
	runInABrowser(b, "/"+u.Username+"/roof")

	b.follow(u.Username, "Profile")
	b.follow("Access tokens", "Access tokens")
	b.run(chromedp.Click(chromedp.CSS(`[name="scopes"][value="read_user"]`)))
	b.write("#name", "laptop")
	b.follow("Create token", "Access tokens")
	token := get(b, chromedp.Value(chromedp.CSS("#secret")))
	if got := h.WithHeaders("PRIVATE-TOKEN", token).Send("GET", "/user", ""); got.Status != 200 {
		t.Errorf("%q: %d %s", token, got.Status, got.Body)
	}
}

// mergeInABrowser makes a merge request of the branch chimney, comments on it and on one of its lines, and merges it.
func mergeInABrowser(b *tab) {
	b.t.Helper()
	b.follow("Merge requests", "Merge requests")
	b.follow("New merge request", "New merge request")
	b.run(chromedp.SendKeys(chromedp.CSS(`[name="merge_request[source_branch]"]`), "chimney"))
	b.follow("Continue", "New merge request")
	b.write("#title", "Add a chimney")
	b.follow("Create the merge request", "Add a chimney !1")
	b.write("#body", "Is it **high** enough?")
	b.follow("Comment", "Add a chimney !1")
	b.says("Is it high enough?")

	b.follow("Changes", "Add a chimney !1")
	b.run(chromedp.Click(chromedp.CSS(".diff .lines > .a:nth-child(3) > i:nth-child(2)"))) // the number of the second line
	b.until(`document.activeElement.id === "body" && !!document.activeElement.closest(".lines")`)
	b.run(chromedp.KeyEvent("Whose smoke?"))
	b.follow("Comment", "Add a chimney !1")
	b.says("Whose smoke?")
	b.says("chimney.txt, line 2")

	b.follow("Overview", "Add a chimney !1")
	b.follow("Merge", "Add a chimney !1")
	b.says("The changes are in main")
}

// issueInABrowser makes an issue, comments on it, and closes it.
func issueInABrowser(b *tab) {
	b.t.Helper()
	b.follow("Issues", "Issues")
	b.follow("New issue", "New issue")
	b.write("#title", "The roof leaks")
	b.follow("Create the issue", "The roof leaks #1")
	b.write("#body", "It is wet.")
	b.follow("Close the issue", "The roof leaks #1")
	b.says("It is wet.")
	b.says("Closed")
}

// runInABrowser makes a runner and a pipeline in a project.
func runInABrowser(b *tab, root string) {
	b.t.Helper()
	b.follow("Settings", "Settings")
	b.follow("Runners", "Runners")
	b.follow("New runner", "New runner")
	b.write("#description", "A laptop")
	b.follow("Create the runner", "Runner #")
	command := get(b, chromedp.Value(chromedp.CSS("#command")))
	if !strings.HasPrefix(command, "gitlab-runner register --url "+b.h.URL+" --token ") {
		b.t.Errorf("the command is %q", command)
	}

	b.follow("Files", "main")
	b.follow("New file", "New file")
	b.write("#file", ".gitlab-ci.yml")
	b.write("#content", "unit: {script: make test}\n")
	b.follow("Commit", ".gitlab-ci.yml")
	b.visit(root + "/-/pipelines")
	b.follow("Run a pipeline", "Run a pipeline")
	b.follow("Run the pipeline", "Pipeline #")
	b.says("unit")
}
