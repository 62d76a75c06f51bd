package api

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"svc/openapi/wire"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type importedProject struct {
	ID            int64
	Status        string  `json:"import_status"`
	Type          *string `json:"import_type"`
	URL           *string `json:"import_url"`
	Error         *string `json:"import_error"`
	DefaultBranch string  `json:"default_branch"`
	Empty         bool    `json:"empty_repo"`
}

// otherHistory returns a history with the default branch trunk, another branch, and two tags.
func otherHistory(t *testing.T) *harness.History {
	t.Helper()
	r := harness.NewHistory(t)
	r.Git("symbolic-ref", "HEAD", "refs/heads/trunk")
	r.Write("README.md", "# Hello\n")
	r.Commit("Ann <ann@example.com>", "First")
	r.Git("branch", "feature")
	r.Git("tag", "plain")
	r.Git("tag", "-a", "v1", "-m", "One")
	r.Write("b.txt", "b\n")
	r.Commit("Ann <ann@example.com>", "Second")
	r.Git("update-ref", "refs/pull/1/head", "HEAD")
	return r
}

// importFrom creates a project from a URL and waits until the import has ended.
func importFrom(t *testing.T, c *harness.Caller, name, from string) importedProject {
	t.Helper()
	body, err := json.Marshal(map[string]string{"name": name, "import_url": from})
	if err != nil {
		t.Fatal(err)
	}
	made := read[importedProject](t, c.JSON("POST", "/projects", string(body)), 201)
	if made.Status == "none" || made.Type == nil || *made.Type != "git" { // a worker may have begun already
		t.Errorf("a new import: %+v", made)
	}
	return waitForProjectImport(t, c, made.ID)
}

// waitForProjectImport waits until the import of a project has ended.
func waitForProjectImport(t *testing.T, c *harness.Caller, id int64) importedProject {
	t.Helper()
	wait.Until(t, "the import has ended", func() bool {
		now := read[importedProject](t, c.Send("GET", fmt.Sprintf("/projects/%d/import", id), ""), 200)
		return now.Status == "finished" || now.Status == "failed"
	})
	return read[importedProject](t, c.Send("GET", fmt.Sprintf("/projects/%d", id), ""), 200)
}

func TestAProjectIsImportedFromAURL(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	from := harness.NewGitServer(t, otherHistory(t))
	owner := h.NewUser()
	p := importFrom(t, owner, "copy", from.Remote())
	if p.Status != "finished" || p.Error != nil || p.DefaultBranch != "trunk" || p.Empty || p.URL == nil || *p.URL != from.Masked() {
		t.Fatalf("imported: %+v, error %v", p, p.Error)
	}
	path := fmt.Sprintf("/projects/%d", p.ID)
	expect(t, owner.Send("GET", path+"/repository/branches/feature", ""), 200, "")
	expect(t, owner.Send("GET", path+"/repository/tags/v1", ""), 200, "")
	expect(t, owner.Send("GET", path+"/repository/tags/plain", ""), 200, "")
	expect(t, owner.Send("GET", path+"/repository/commits/refs%2Fpull%2F1%2Fhead", ""), 404, "")
	expect(t, owner.Send("GET", path+"/protected_branches/trunk", ""), 200, "")
	expect(t, owner.Send("GET", path+"/pipelines", ""), 200, "[]")
	if got := owner.Send("GET", path+"/repository/files/b.txt/raw?ref=trunk", ""); got.Status != 200 || strings.TrimSpace(got.Body) != "b" {
		t.Errorf("a file: %d %q", got.Status, got.Body)
	}
	shown := owner.Send("GET", path+"/import", "")
	expect(t, shown, 200, "")
	shownBody := strings.ReplaceAll(shown.Body, from.Masked(), "https://*****:*****@git.example.com/web.git")
	h.Golden("getProjectImport/finished", withoutName(owner, shownBody))
	checkReadersOfAnImport(t, h, p)
	if _, err := h.Store.ProjectImports.Get(t.Context(), p.ID); !store.IsNotFound(err) {
		t.Errorf("the credentials were not removed: %v", err)
	}
	if strings.Contains(h.Logs.String(), harness.GitPassword) || strings.Contains(shown.Body, harness.GitPassword) {
		t.Error("the password is in the log or in an answer")
	}
	from.History.Git("update-ref", "-d", "refs/pull/1/head")
	row, err := h.Store.Projects.Get(t.Context(), p.ID, "", &store.Reader{Admin: true})
	if err != nil {
		t.Fatal(err)
	}
	from.History.Write("c.txt", "c\n")
	from.History.Commit("Ann <ann@example.com>", "Third")
	from.History.Push(owner, row.Project, "trunk")
	expect(t, owner.Send("GET", path+"/repository/files/c.txt/raw?ref=trunk", ""), 200, "")
}

// checkReadersOfAnImport checks what others see of an imported project.
func checkReadersOfAnImport(t *testing.T, h *harness.H, p importedProject) {
	t.Helper()
	path := fmt.Sprintf("/projects/%d", p.ID)
	row := model.Project{ID: p.ID}
	maintainer, developer := h.ProjectMember(row, model.Maintainer), h.ProjectMember(row, model.Developer)
	expect(t, maintainer.Send("GET", path+"/import", ""), 200, "")
	expect(t, developer.Send("GET", path+"/import", ""), 403, "")
	expect(t, h.NewUser().Send("GET", path+"/import", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().Send("GET", path+"/import", ""), 401, "")
	if seen := read[importedProject](t, developer.Send("GET", path, ""), 200); seen.URL != nil || *seen.Type != "git" {
		t.Errorf("a developer sees %+v", seen)
	}
	if seen := read[importedProject](t, maintainer.Send("GET", path, ""), 200); seen.URL == nil || *seen.URL != *p.URL {
		t.Errorf("a maintainer sees %+v", seen)
	}
}

func TestAnEmptyRepositoryIsImported(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	from := harness.NewGitServer(t, harness.NewHistory(t))
	if p := importFrom(t, h.NewUser(), "copy", from.Remote()); p.Status != "finished" || !p.Empty || p.DefaultBranch != "main" {
		t.Errorf("%+v, error %v", p, p.Error)
	}
}

func TestTheChosenDefaultBranchOfAnImportStays(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	from, owner := harness.NewGitServer(t, otherHistory(t)), h.NewUser()
	made := read[importedProject](t, owner.JSON("POST", "/projects",
		`{"path":"copy","default_branch":"feature","import_url":"`+from.Remote()+`"}`), 201)
	if p := waitForProjectImport(t, owner, made.ID); p.DefaultBranch != "feature" {
		t.Errorf("%+v", p)
	}
}

func TestAnImportThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxImportSize = 1 })
	h.StartWorker()
	large := otherHistory(t)
	noise := make([]byte, 2<<20)
	rand.Read(noise)
	large.Write("noise", string(noise))
	large.Commit("Ann <ann@example.com>", "Noise")
	good := harness.NewGitServer(t, otherHistory(t))
	answer := func(with func(w http.ResponseWriter, r *http.Request, serve http.Handler)) string {
		g := harness.NewGitServer(t, otherHistory(t))
		g.Around(with)
		return g.Remote()
	}
	const advertised = "application/x-git-upload-pack-advertisement"
	send := func(kind, text string) string {
		return answer(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, text)
		})
	}
	cut := answer(func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		if r.Method == http.MethodGet {
			serve.ServeHTTP(w, r)
			return
		}
		_, _ = io.WriteString(w, "0008NAK\n0009\x01PACK")
	})
	for name, c := range map[string]struct{ from, want string }{
		"wrong password": {strings.Replace(good.Remote(), harness.GitPassword, "wrong", 1), "the credentials are missing or wrong"},
		"no repository":  {strings.Replace(good.Remote(), "/.git", "/other.git", 1), "does not have the repository"},
		"too large":      {harness.NewGitServer(t, large).Remote(), "larger than 1 MiB"},
		"a page":         {send("text/html", "Hello"), "not that of a git repository"},
		"no service":     {send(advertised, "0009hello"), "does not speak git"},
		"an error":       {send(advertised, "001e# service=git-upload-pack\n00000016ERR secret-of-ann-8417 "), "The server reports"},
		"another format": {
			send(advertised, "001e# service=git-upload-pack\n0000"+
				packet(strings.Repeat("1", 40)+" refs/heads/main\x00object-format=sha256\n")+"0000"), "only sha1",
		},
		"cut off": {cut, "incomplete"},
		"a loop": {answer(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		}), "redirects more than 5 times"},
		"an error of the server": {answer(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.WriteHeader(http.StatusBadGateway)
		}), "status 502"},
	} {
		owner := h.NewUser()
		p := importFrom(t, owner, "copy", c.from)
		if p.Status != "failed" || p.Error == nil || !strings.Contains(*p.Error, c.want) || !p.Empty {
			t.Errorf("%s: %+v, error %q", name, p, wire.Value(p.Error))
		}
		if strings.Contains(wire.Value(p.Error), harness.GitPassword) {
			t.Errorf("%s: the password is in the error", name)
		}
	}
	if strings.Contains(h.Logs.String(), harness.GitPassword) {
		t.Error("the password is in the log")
	}
}

// packet returns a line of git's protocol.
func packet(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

func TestAnImportReachesNoPrivateAddress(t *testing.T) {
	t.Parallel()
	hidden := harness.NewGitServer(t, otherHistory(t))
	open := harness.NewGitServer(t, otherHistory(t))
	h := harness.New(t, func(c *config.Config) { c.WebhookAllow = []string{strings.TrimPrefix(open.URL, "http://")} })
	h.StartWorker()
	open.Around(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		http.Redirect(w, r, hidden.URL+"/.git/info/refs?service=git-upload-pack", http.StatusFound)
	})
	p := importFrom(t, h.NewUser(), "copy", open.Remote())
	if p.Status != "failed" || !strings.Contains(wire.Value(p.Error), "The URL is blocked") || hidden.Requests.Load() > 0 {
		t.Errorf("%+v, error %q, %d requests", p, wire.Value(p.Error), hidden.Requests.Load())
	}
	owner := h.NewUser()
	for from, want := range map[string]string{
		hidden.Remote():                       "Requests to ",
		"http://10.0.0.1/a.git":               "the local network",
		"http://169.254.169.254/latest/a.git": "the link local network",
		"http://[::1]:1/a.git":                "Requests to ",
		"ssh://git@example.com/a.git":         "Only allowed schemes are http, https",
		"git://example.com/a.git":             "Only allowed schemes are http, https",
		"file:///etc/passwd":                  "Only allowed schemes are http, https",
		"/etc":                                "Only allowed schemes are http, https",
		"http://example.com":                  "must have the path of a repository",
		"http://example.com/a.git?x=y":        "must not have a query",
		"http://example.com/a b.git":          "Host cannot be resolved or invalid",
	} {
		body, err := json.Marshal(map[string]string{"name": "copy", "import_url": from})
		if err != nil {
			t.Fatal(err)
		}
		got := owner.JSON("POST", "/projects", string(body))
		if got.Status != 400 || !strings.Contains(got.Body, `{"message":{"import_url":["is `+
			`blocked: `) || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s", from, got.Status, got.Body)
		}
	}
	expect(t, owner.Send("GET", "/projects?owned=true", ""), 200, "[]")
}

func TestImportsCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	from, owner := harness.NewGitServer(t, otherHistory(t)), h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d", p.ID)
	body := `{"name":"copy","import_url":"` + from.Remote() + `"}`
	expect(t, owner.JSON("PUT", path, body), 400, `{"error":"import_url can only be given for a new project"}`)
	expect(t, owner.JSON("POST", "/projects", strings.Replace(body, "{", `{"initialize_with_readme":true,`, 1)), 400,
		`{"error":"initialize_with_readme cannot be used together with import_url"}`)
	expect(t, owner.Send("GET", path+"/import", ""), 200, "")
	expect(t, h.Root().JSON("PUT", "/application/settings", `{"import_sources":["gitlab_project"]}`), 200, "")
	expect(t, owner.JSON("POST", "/projects", body), 403, `{"message":"403 Forbidden - import_url is disabled"}`)
	if from.Requests.Load() > 0 {
		t.Error("the other server was asked")
	}
}

func TestNobodyPushesWhileAnImportRuns(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	from, owner := harness.NewGitServer(t, otherHistory(t)), h.NewUser()
	began, release := make(chan struct{}), make(chan struct{})
	from.Around(func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		if r.Method == http.MethodPost {
			close(began)
			<-release
		}
		serve.ServeHTTP(w, r)
	})
	made := read[importedProject](t, owner.JSON("POST", "/projects", `{"path":"copy","import_url":"`+from.Remote()+`"}`), 201)
	<-began
	path := fmt.Sprintf("/projects/%d", made.ID)
	if now := read[importedProject](t, owner.Send("GET", path+"/import", ""), 200); now.Status != "started" {
		t.Errorf("while it runs: %+v", now)
	}
	got := owner.JSON("POST", path+"/repository/files/a.txt", `{"branch":"main","content":"a","commit_message":"a"}`)
	if got.Status != 403 || !strings.Contains(got.Body, "still being copied") {
		t.Errorf("a push: %d %s", got.Status, got.Body)
	}
	close(release)
	if p := waitForProjectImport(t, owner, made.ID); p.Status != "finished" {
		t.Errorf("%+v, error %q", p, wire.Value(p.Error))
	}
}
