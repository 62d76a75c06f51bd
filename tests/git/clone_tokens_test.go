package git

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

// startJob starts a job of a user in a project and returns its token.
func startJob(t *testing.T, h *harness.H, p model.Project, u model.User) string {
	t.Helper()
	made := h.Pipeline(p, u, []syntax.Job{{Name: "one", Stage: "build", Script: []string{"true"}}})
	job := made.Jobs[0]
	r := model.Runner{
		RunnerType: model.InstanceRunner, Digest: fmt.Sprint("runner of job ", job.ID), AccessLevel: "not_protected",
		Tags: "[]",
	}
	if err := h.Store.Runners.Create(t.Context(), &r); err != nil {
		t.Fatal(err)
	}
	token := secret.NewJobToken()
	claim := store.Claim{JobID: job.ID, RunnerID: r.ID, Digest: hex.EncodeToString(secret.Digest(token)), Timeout: 3600}
	if taken, err := h.Engine().Claim(t.Context(), job.PipelineID, claim); err != nil || !taken {
		t.Fatal(taken, err)
	}
	return token
}

func TestJobTokensReadOnlyAllowedProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(n *model.Namespace) { n.Path = "acme" })
	ann := h.Member(g, model.Maintainer)
	own := h.Project(g.ID, func(p *model.Project) { p.Path = "own" })
	other := h.Project(g.ID, func(p *model.Project) { p.Path = "other" })
	here := newRepository(t)
	for _, p := range []model.Project{own, other} {
		must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	}
	for _, call := range [][2]string{
		{fmt.Sprintf("/projects/%d/wikis", own.ID), `{"title":"home","content":"hello"}`},
		{fmt.Sprintf("/projects/%d/wikis", other.ID), `{"title":"home","content":"hello"}`},
		{fmt.Sprintf("/groups/%d/wikis", g.ID), `{"title":"home","content":"hello"}`},
		{"/snippets", `{"title":"t","content":"hello","file_name":"home.md"}`},
		{fmt.Sprintf("/projects/%d/snippets", own.ID), `{"title":"t","content":"hello","file_name":"home.md"}`},
		{fmt.Sprintf("/projects/%d/snippets", other.ID), `{"title":"t","content":"hello","file_name":"home.md"}`},
	} {
		if got := ann.JSON("POST", call[0], call[1]); got.Status != 201 {
			t.Fatalf("%s: %d %s", call[0], got.Status, got.Body)
		}
	}
	token := startJob(t, h, own, ann.User)
	reads := func(path string) bool {
		_, ok := git(t, here, "ls-remote", remote(h, "gitlab-ci-token", token, path))
		return ok
	}
	inside, outside := []string{"acme/own", "acme/own.wiki", "acme/own/snippets/2"},
		[]string{"acme/other", "acme/other.wiki", "acme/other/snippets/3"}
	for _, path := range inside {
		if !reads(path) {
			t.Errorf("%s is not read", path)
		}
	}
	for _, path := range append([]string{"acme.wiki", "snippets/1", "acme/none"}, outside...) {
		refused(t, "not found", here, "ls-remote", remote(h, "gitlab-ci-token", token, path))
	}
	for _, path := range []string{"acme/own", "acme/other", "acme/none"} { // the refusal does not depend on the project
		refused(t, "Job tokens cannot push", here, "push", remote(h, "gitlab-ci-token", token, path), "main:x")
		refused(t, "403", here, "push", remote(h, "gitlab-ci-token", token, path), "main:x")
	}
	large := func(path string) int {
		return lfsStatus(t, h, token, path)
	}
	if in, out := large("acme/own"), large("acme/other"); in != 200 || out != 404 {
		t.Errorf("large files of their own %d, of another project %d", in, out)
	}
	if got := ann.JSON(
		"POST", fmt.Sprintf("/projects/%d/job_token_scope/allowlist", other.ID),
		fmt.Sprintf(`{"target_project_id":%d}`, own.ID),
	); got.Status != 201 {
		t.Fatal(got.Body)
	}
	for _, path := range outside {
		if !reads(path) {
			t.Errorf("%s, which lets the job in, is not read", path)
		}
	}
	if got := large("acme/other"); got != 200 {
		t.Errorf("large files of a project that lets the job in: %d", got)
	}
	// The server does not tell where a project has moved if the project does not allow the job.
	third := h.Project(g.ID, func(p *model.Project) { p.Path = "third" })
	if err := h.Store.Projects.Update(t.Context(), third.ID, map[string]any{"path": "gone"}); err != nil {
		t.Fatal(err)
	}
	refused(t, "not found", here, "ls-remote", remote(h, "gitlab-ci-token", token, "acme/third"))
}

// lfsStatus requests large files with a job token and returns the status.
func lfsStatus(t *testing.T, h *harness.H, token, path string) int {
	t.Helper()
	body := `{"operation":"download","transfers":["basic"],"objects":[{"oid":"` + strings.Repeat("ab", 32) + `","size":1}]}`
	req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/"+path+".git/info/lfs/objects/batch", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/vnd.git-lfs+json")
	req.SetBasicAuth("gitlab-ci-token", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}

func TestTokensWorkWithAnyUsernameAndJobTokensWithTheirOwn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	here := newRepository(t)
	must(t, here, "push", "-q", remote(h, "gitlab-ci-token", ann.Token, p.FullPath), "main")
	for _, name := range []string{"gitlab-ci-token", "svc-ci-token", "oauth2", "anybody", ann.User.Username} {
		must(t, here, "ls-remote", remote(h, name, ann.Token, p.FullPath))
	}
	job := startJob(t, h, p, ann.User)
	for _, name := range []string{"gitlab-ci-token", "svc-ci-token"} {
		must(t, here, "ls-remote", remote(h, name, job, p.FullPath))
		refused(t, "Authentication failed", here, "ls-remote", remote(h, name, "wrong", p.FullPath))
	}
	refused(t, "Authentication failed", here, "ls-remote", remote(h, "oauth2", job, p.FullPath))
	limited := h.WithToken(ann.User, "read_user")
	refused(t, "403", here, "ls-remote", remote(h, "gitlab-ci-token", limited.Token, p.FullPath))
	reads := h.WithToken(ann.User, "read_repository")
	must(t, here, "ls-remote", remote(h, "gitlab-ci-token", reads.Token, p.FullPath))
	refused(t, "403", here, "push", remote(h, "gitlab-ci-token", reads.Token, p.FullPath), "main:x")
}

func TestGitNotesArePushedAndFetched(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	p := h.Project(group.ID)
	maintainer, stranger := h.Member(group, model.Maintainer), h.NewUser()
	here := newRepository(t)
	at := func(c *harness.Caller) string { return remote(h, "x", c.Token, p.FullPath) }
	must(t, here, "push", "-q", at(maintainer), "main")
	must(t, here, "notes", "--ref=semantic-release", "add", "-m", "channel", "main")
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
		c := h.ProjectMember(p, role)
		out, pushed := git(t, here, "push", at(c), "+refs/notes/*:refs/notes/*")
		if pushed != (role >= model.Developer) {
			t.Errorf("role %d: pushed %t\n%s", role, pushed, out)
		}
		if role == model.Developer {
			must(t, here, "notes", "--ref=semantic-release", "append", "-m", "again", "main")
		}
		out, read := git(t, here, "ls-remote", at(c))
		if read != (role >= model.Reporter) || read && strings.Contains(out, "refs/notes/semantic-release") != (role >= model.Developer) {
			t.Errorf("role %d: read %t\n%s", role, read, out)
		}
	}
	refused(t, "not found", here, "push", at(stranger), "refs/notes/*:refs/notes/*")
	reporter := h.ProjectMember(p, model.Reporter)
	there := t.TempDir()
	must(t, there, "init", "-q")
	must(t, there, "fetch", "-q", at(reporter), "refs/heads/main:refs/heads/main", "refs/notes/*:refs/notes/*")
	if got := must(t, there, "notes", "--ref=semantic-release", "show", "main"); got != "channel\n\nagain\n" {
		t.Errorf("the note is %q", got)
	}
	must(t, here, "push", "-q", at(maintainer), ":refs/notes/semantic-release")
}

func TestPasswordAttemptsOverGitAreLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	hash, err := secret.HashPassword(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	person := h.NewUser(func(u *model.User) { u.PasswordHash, u.ConfirmedAt = hash, &u.CreatedAt })
	p := h.Project(*person.User.NamespaceID)
	try := func(name, password string) *http.Response {
		req, err := http.NewRequestWithContext(
			t.Context(), "GET", h.URL+"/"+p.FullPath+".git/info/refs?service=git-upload-pack", http.NoBody,
		)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(name, password)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res
	}
	harness.WaitForMinute(45 * time.Second)
	for range 70 { // invalid tokens do not count
		if got := try("x", secret.TokenPrefix+"none"); got.StatusCode != 401 {
			t.Fatal(got.Status)
		}
	}
	for i := range 60 {
		if got := try(fmt.Sprint("nobody", i), "wrong"); got.StatusCode != 401 {
			t.Fatalf("try %d: %s", i, got.Status)
		}
	}
	over := try(person.User.Username, "correct horse")
	if over.StatusCode != 429 || over.Header.Get("Retry-After") == "" {
		t.Errorf("one too many: %s %v", over.Status, over.Header)
	}
	if got := try("x", person.Token); got.StatusCode != 200 {
		t.Errorf("a token: %s", got.Status)
	}
}
