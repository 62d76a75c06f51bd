package web

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/server/domain/iteration"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// withoutPage lists the shapes of links that have no page yet. A shape that gets its page must leave this list: the test says so.
var withoutPage = []string{}

// public lists the shapes of links that people see who do not see the project.
var public = []string{"/{user}"}

// mailed lists the links in mails, hooks and answers to git that no answer of the API has, below a project.
var mailed = []string{
	"", "/-/issues/1", "/-/merge_requests/1", "/-/commit/main", "/-/releases/v1.0", "/-/tree/main", "/-/tags/v1.0",
	"/-/blob/main/README.md", "/-/wikis/home",
	"/-/pipelines", "/-/jobs", "/-/environments", "/-/pipeline_schedules", "/-/ci/lint", "/-/hooks", "/-/settings/ci_cd",
}

// linkWorld is a private project with one of everything that an answer can link to.
type linkWorld struct {
	*codeServer
	group model.Namespace
	links map[string]string // addresses, by shape
}

func newLinkWorld(t *testing.T) *linkWorld {
	t.Helper()
	w := &linkWorld{codeServer: newCodeServer(t, model.Private), links: map[string]string{}}
	w.group = w.Group(func(g *model.Namespace) { g.Visibility = model.Private })
	w.Join(w.group, w.owner.User, model.Owner)
	id, group := fmt.Sprintf("/projects/%d", w.project.ID), fmt.Sprintf("/groups/%d", w.group.ID)
	w.make(id+"/issues", `{"title":"Leak"}`)
	w.make(id+"/milestones", `{"title":"Winter"}`)
	w.make(group+"/milestones", `{"title":"Winter"}`)
	w.make(group+"/epics", `{"title":"Winter"}`)
	first, last := time.Now().UTC(), time.Now().UTC().AddDate(0, 0, 7)
	if _, err := iteration.New(w.Store).Create(t.Context(), w.group, iteration.Input{StartDate: &first, DueDate: &last}); err != nil {
		t.Fatal(err)
	}
	w.make(id+"/merge_requests", `{"title":"Old roof","source_branch":"feature/a<b>#%&","target_branch":"old"}`)
	w.make(id+"/snippets", `{"title":"S","visibility":"private","files":[{"file_path":"a","content":"b"}]}`)
	w.make("/snippets", `{"title":"S","visibility":"private","files":[{"file_path":"a","content":"b"}]}`)
	w.make(id+"/releases", `{"tag_name":"v1.0","name":"First"}`)
	w.make(id+"/wikis", `{"title":"home","content":"x"}`)
	w.Pipeline(w.project, w.owner.User, []syntax.Job{{Name: "build", Stage: "build"}}, func(n *store.NewPipeline) {
		n.Pipeline.CommitData = strings.ReplaceAll(n.Pipeline.CommitData, n.Pipeline.SHA, w.head)
		n.Pipeline.SHA = w.head
	})
	file := id + "/packages/generic/tool/1.0/a.txt"
	if got := w.owner.Send("PUT", file, "x", "Content-Type", "application/octet-stream"); got.Status != 201 {
		t.Fatal(got.Status, got.Body)
	}
	for _, call := range []string{
		id, id + "/repository/branches", id + "/repository/tags", id + "/repository/commits", id + "/repository/compare?from=old&to=main",
		id + "/issues", id + "/milestones", id + "/merge_requests", id + "/snippets", id + "/releases", id + "/pipelines", id + "/jobs",
		id + "/repository/commits/main/statuses", id + "/events", id + "/members", id + "/users", id + "/packages",
		"/snippets", "/user", "/users/" + fmt.Sprint(w.owner.User.ID), group, group + "/milestones",
		group + "/iterations", group + "/epics", "/namespaces", "/todos",
		"/groups", "/projects",
	} {
		w.collect(call)
	}
	return w
}

// make creates something.
func (w *linkWorld) make(path, body string) {
	w.T.Helper()
	if got := w.owner.Send("POST", path, body, "Content-Type", "application/json"); got.Status != 201 {
		w.T.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
}

// collect notes the links in an answer of the API.
func (w *linkWorld) collect(path string) {
	w.T.Helper()
	got := w.owner.Send("GET", path, "")
	if got.Status != 200 {
		w.T.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
	var answer any
	if err := json.Unmarshal([]byte(got.Body), &answer); err != nil {
		w.T.Fatal(err)
	}
	w.walk("", answer)
}

// walk notes the links in a part of an answer.
func (w *linkWorld) walk(name string, part any) {
	switch part := part.(type) {
	case []any:
		for _, one := range part {
			w.walk(name, one)
		}
	case map[string]any:
		for key, one := range part {
			w.walk(key, one)
		}
	case string:
		address, ours := strings.CutPrefix(part, w.URL)
		isPath := strings.HasSuffix(name, "_path") && strings.HasPrefix(part, "/")
		if isPath {
			address = part
		}
		if (ours || isPath) && !notAPage.MatchString(address) {
			w.links[w.shape(address)] = address
		}
	}
}

// notAPage matches addresses of the service that are no pages: the API, repositories, archives and pictures.
var notAPage = regexp.MustCompile(`^/api/|\.git$|/-/archive/|/-/raw/|^/uploads/|/raw$|\.svg$|^$`)

var (
	ids     = regexp.MustCompile(`(commit|tree|blob)/[0-9a-f]{40}`)
	numbers = regexp.MustCompile(`/(jobs|pipelines|snippets|packages)/\d+`)
)

// shape returns an address without what is different in every run.
func (w *linkWorld) shape(address string) string {
	address, query, found := strings.Cut(address, "?")
	if found && query != "" {
		address += "?…"
	}
	address = strings.Replace(address, w.root, "/{project}", 1)
	address = strings.Replace(address, "/groups/"+w.group.FullPath, "/groups/{group}", 1)
	if address == "/"+w.owner.User.Username {
		return "/{user}"
	}
	return numbers.ReplaceAllString(ids.ReplaceAllString(address, "$1/{sha}"), "/$1/{n}")
}

func TestEveryLinkLeadsToAPage(t *testing.T) {
	t.Parallel()
	w := newLinkWorld(t)
	for _, rest := range mailed {
		w.links[w.shape(w.root+rest)] = w.root + rest
	}
	if len(w.links) < 20 {
		t.Errorf("the answers have only these links: %v", w.links)
	}
	owner, outsider, visitor := w.SignedIn(w.owner.User), w.SignedIn(w.NewUserWithPassword().User), w.Browser()
	for _, shape := range withoutPage {
		if w.links[shape] == "" {
			t.Errorf("no answer has a link like %s", shape)
		}
	}
	for shape, address := range w.links {
		if page := owner.Get(address); page.Status == 404 && slices.Contains(withoutPage, shape) {
			continue
		} else if page.Status != 200 || slices.Contains(withoutPage, shape) {
			t.Errorf("%s, which is %s, answers %d to those who may see it", shape, address, page.Status)
		}
		if slices.Contains(public, shape) {
			continue
		}
		for _, other := range []*harness.Browser{outsider, visitor} {
			page := other.Get(address)
			if page.Status != 404 && page.URL.Path != "/users/sign_in" {
				t.Errorf("%s, which is %s, answers %d to others", shape, address, page.Status)
			}
		}
	}
}
