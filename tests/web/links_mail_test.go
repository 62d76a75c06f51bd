package web

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"mime/quotedprintable"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// exampleHost is the address of the service in recorded answers.
const exampleHost = "https://svc.example.com"

// Every operation has a recorded answer, so this knows what all presenters link to, even if TestEveryLinkLeadsToAPage has not made
// such a thing.
func TestEveryLinkInRecordedAnswersHasAPage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "openapi", "examples", "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatal(err, files)
	}
	checked := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recorded any
		if err := json.Unmarshal(data, &recorded); err != nil {
			t.Fatal(err)
		}
		forTexts(recorded, func(name, text string) {
			path, ours := strings.CutPrefix(text, exampleHost)
			if !ours || checked[path] || notAPage.MatchString(path) || !linkNames.MatchString(name) {
				return
			}
			checked[path] = true
			req, err := http.NewRequest(http.MethodGet, h.URL+path, nil) //nolint:noctx // it is never sent
			if err != nil || h.Server.Pages.AddressOf(req) == "" {
				t.Errorf("%s: no page has the address %s in %s: %v", filepath.Base(file), path, name, err)
			}
		})
	}
	if len(checked) < 50 {
		t.Errorf("only %d links were found", len(checked))
	}
}

// linkNames matches the members of answers that lead people to pages.
var linkNames = regexp.MustCompile(`url$|_url$|^(self|edit_url|opened_issues_url)$|_path$`)

// forTexts calls a function for all texts in a value, with the names of their members.
func forTexts(value any, do func(name, text string)) {
	var walk func(name string, value any)
	walk = func(name string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, one := range value {
				walk(key, one)
			}
		case []any:
			for _, one := range value {
				walk(name, one)
			}
		case string:
			do(name, value)
		}
	}
	walk("", value)
}

var mailLink = regexp.MustCompile(`https?://[^\s<>"']+`)

// mailedLinks makes a private project with news about everything, and returns the links in the mails about them to a watcher, by path.
func mailedLinks(t *testing.T, h *harness.H, inbox *harness.Inbox, watcher *harness.Caller) map[string]bool {
	t.Helper()
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Private })
	h.JoinProject(project, watcher.User, model.Developer)
	api := fmt.Sprintf("/projects/%d", project.ID)
	all := `{"level":"custom","new_release":true,"new_issue":true,"new_note":true,"new_merge_request":true}`
	if got := watcher.JSON("PUT", api+"/notification_settings", all); got.Status != 200 {
		t.Fatal(got.Status, got.Body)
	}
	local := harness.NewHistory(t)
	local.Write("a", "a")
	local.Commit("Ann <ann@example.com>", "Begin")
	local.Git("switch", "-q", "-c", "change")
	local.Write("a", "b")
	local.Commit("Ann <ann@example.com>", "Change")
	local.Push(owner, project)
	made(t, owner, api+"/issues", `{"title":"Leak","description":"@`+watcher.User.Username+`"}`)
	made(t, owner, api+"/issues/1/notes", `{"body":"A comment"}`)
	made(t, owner, api+"/merge_requests", `{"source_branch":"change","target_branch":"main","title":"Change"}`)
	made(t, owner, api+"/merge_requests/1/notes", `{"body":"A comment"}`)
	made(t, owner, api+"/releases", `{"tag_name":"v1","ref":"main","description":"First"}`)
	h.WaitForMails()
	paths := map[string]bool{}
	for _, m := range inbox.Take() {
		if m.To != watcher.User.Email {
			continue
		}
		text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(m.Body)))
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range mailLink.FindAllString(string(text)+" "+m.Header.Get("List-Unsubscribe"), -1) {
			path, ours := strings.CutPrefix(html.UnescapeString(strings.TrimRight(link, ".,)")), h.URL)
			if !ours {
				t.Errorf("a mail links to %s", link)
			}
			paths[path] = true
		}
	}
	return paths
}

func TestEveryLinkInAMailLeadsToAPage(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	s := harness.New(t, inbox.Use)
	s.StartWorker()
	watcher := s.NewUserWithPassword()
	paths := mailedLinks(t, s, inbox, watcher)
	for _, part := range []string{"/-/issues/1", "/-/merge_requests/1", "/-/releases/v1", "#note_", "/-/unsubscribe"} {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(paths)), func(path string) bool { return strings.Contains(path, part) }) {
			t.Errorf("no mail links to %s, but to %v", part, paths)
		}
	}
	b, outsider, nobody := s.SignedIn(watcher.User), s.SignedIn(s.NewUserWithPassword().User), s.Browser()
	for path := range paths {
		if page := b.Get(path); page.Status != 200 {
			t.Errorf("%s answers %d to the reader of the mail", path, page.Status)
		}
		if strings.HasPrefix(path, "/-/unsubscribe") { // whoever has the link may use it
			continue
		}
		for _, other := range []*harness.Browser{outsider, nobody} {
			if page := other.Get(path); page.Status != 404 && page.URL.Path != "/users/sign_in" {
				t.Errorf("%s answers %d to others", path, page.Status)
			}
		}
	}
}
