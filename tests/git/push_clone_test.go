// Package git tests the server with an unmodified git: clone, fetch, push and the refusals.
package git

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

// git runs git in a folder. It returns the output, and whether git succeeded.
func git(t testing.TB, folder string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+t.TempDir(),
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann",
		"GIT_COMMITTER_EMAIL=ann@example.com", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

func must(t testing.TB, folder string, args ...string) string {
	t.Helper()
	out, ok := git(t, folder, args...)
	if !ok {
		t.Fatalf("git %s:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// refused checks that git fails and that its output contains a text.
func refused(t testing.TB, text, folder string, args ...string) {
	t.Helper()
	if out, ok := git(t, folder, args...); ok || !strings.Contains(out, text) {
		t.Errorf("git %s: content %v, without %q:\n%s", strings.Join(args, " "), ok, text, out)
	}
}

// remote returns the URL of a project with a user and a password in it.
func remote(h *harness.H, user, password, path string) string {
	u, _ := url.Parse(h.URL)
	if user != "" {
		u.User = url.UserPassword(user, password)
	}
	u.Path = "/" + path + ".git"
	return u.String()
}

// newRepository creates a repository with one commit.
func newRepository(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	must(t, folder, "init", "-q", "-b", "main")
	commit(t, folder, "README.md", "hello\n")
	return folder
}

func commit(t testing.TB, folder, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, folder, "add", ".")
	must(t, folder, "commit", "-q", "-m", "Change "+file)
}

func TestStockGitPushesClonesAndFetches(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	ours := remote(h, "oauth2", ann.Token, p.FullPath)
	here := newRepository(t)
	must(t, here, "push", "-q", ours, "main")
	if row := ann.Send("GET", "/projects/"+url.PathEscape(p.FullPath), ""); !strings.Contains(row.Body, `"empty_repo":false`) {
		t.Errorf("after the first push: %s", row.Body)
	}
	for name, args := range map[string][]string{
		"version 2": {"clone", "-q"}, "version 0": {"-c", "protocol.version=0", "clone", "-q"}, "shallow": {"clone", "-q", "--depth=1"},
		"partial": {"clone", "-q", "--filter=blob:none"},
	} {
		there := filepath.Join(t.TempDir(), "clone")
		must(t, here, append(args, ours, there)...)
		if data, err := os.ReadFile(filepath.Join(there, "README.md")); err != nil || string(data) != "hello\n" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	// The server redirects a URL without .git to the one with it.
	must(t, here, "clone", "-q", strings.TrimSuffix(ours, ".git"), filepath.Join(t.TempDir(), "clone"))

	there := filepath.Join(t.TempDir(), "clone")
	must(t, here, "clone", "-q", ours, there)
	for i := range 30 {
		commit(t, here, fmt.Sprintf("file%d", i), strings.Repeat("x", i*1000))
	}
	must(t, here, "tag", "-a", "v1", "-m", "one")
	must(t, here, "push", "-q", "--follow-tags", ours, "main", "main:refs/heads/other")
	must(t, there, "pull", "-q", "--tags")
	if a, b := must(t, here, "rev-parse", "main", "v1"), must(t, there, "rev-parse", "origin/main", "v1"); a != b {
		t.Errorf("pushed %s, fetched %s", a, b)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	must(t, here, "clone", "-q", "--depth=1", ours, shallow)
	commit(t, shallow, "more", "more")
	must(t, shallow, "push", "-q", ours, "HEAD:refs/heads/from-shallow")
	must(t, here, "fetch", "-q", ours, "from-shallow")
	must(t, here, "push", "-q", ours, ":other", ":v1")
	if left := must(t, here, "ls-remote", ours); strings.Contains(left, "other") || strings.Contains(left, "v1") {
		t.Errorf("left is:\n%s", left)
	}
	must(t, here, "push", "-q", "-o", "ci.skip", "--atomic", ours, "main:a", "main:b")
}

func TestPermissionsToCloneAndPush(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	maintainer := h.Member(group, model.Maintainer)
	hash, err := secret.HashPassword(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	person := h.NewUser(func(u *model.User) { u.PasswordHash, u.ConfirmedAt = hash, &u.CreatedAt })
	second := h.NewUser(func(u *model.User) { u.PasswordHash, u.ConfirmedAt, u.TwoFactor = hash, &u.CreatedAt, true })
	private, public := h.Project(group.ID), h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	for _, u := range []model.User{person.User, second.User} {
		h.JoinProject(private, u, model.Developer)
	}
	here := newRepository(t)
	for _, p := range []model.Project{private, public} {
		must(t, here, "push", "-q", remote(h, "anything", maintainer.Token, p.FullPath), "main")
	}
	read := func(user, password string, p model.Project) []string {
		return []string{"ls-remote", remote(h, user, password, p.FullPath)}
	}
	guest, reporter := h.ProjectMember(private, model.Guest), h.ProjectMember(private, model.Reporter)
	readOnly := h.WithToken(maintainer.User, "read_repository")
	other := h.WithToken(maintainer.User, "read_user")
	nobody := h.NewUser()
	missing := model.Project{FullPath: "no/such"}
	must(t, here, read("", "", public)...)
	must(t, here, read("x", nobody.Token, public)...)
	must(t, here, read("x", reporter.Token, private)...)
	must(t, here, read("oauth2", readOnly.Token, private)...)
	must(t, here, read(person.User.Username, "correct horse", private)...)
	must(t, here, read(person.User.Email, "correct horse", private)...)
	refused(t, "could not read Username", here, read("", "", private)...)
	refused(t, "could not read Username", here, read("", "", missing)...)
	refused(t, "Authentication failed", here, read("x", "wrong", private)...)
	refused(t, "Authentication failed", here, read(person.User.Username, "wrong", private)...)
	refused(t, "Authentication failed", here, read(second.User.Username, "correct horse", private)...)
	refused(t, "not found", here, read("x", nobody.Token, private)...)
	refused(t, "not found", here, read("x", nobody.Token, missing)...)
	refused(t, "403", here, read("x", guest.Token, private)...)
	refused(t, "403", here, read("x", other.Token, private)...)

	push := func(c *harness.Caller, p model.Project, what string) []string {
		return []string{"push", "-q", remote(h, "x", c.Token, p.FullPath), what}
	}
	must(t, here, push(person, private, "main:mine")...)
	refused(t, "could not read Username", here, "push", "-q", remote(h, "", "", public.FullPath), "main:x")
	refused(t, "403", here, push(reporter, private, "main:x")...)
	refused(t, "403", here, push(readOnly, private, "main:x")...)
	refused(t, "403", here, push(nobody, public, "main:x")...)
	if err := h.Store.Projects.Update(t.Context(), public.ID, map[string]any{"archived": true}); err != nil {
		t.Fatal(err)
	}
	refused(t, "403", here, push(maintainer, public, "main:x")...)
	must(t, here, read("", "", public)...)
}

func TestProtectedBranchesAndTagsRefusePushes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	maintainer, developer := h.Member(group, model.Maintainer), h.Member(group, model.Developer)
	p := h.Project(group.ID)
	at := func(c *harness.Caller) string { return remote(h, "x", c.Token, p.FullPath) }
	here := newRepository(t)
	refused(t, "not allowed to push code to protected branches", here, "push", at(developer), "main")
	must(t, here, "push", "-q", at(maintainer), "main")
	commit(t, here, "a", "a")
	refused(t, "not allowed to push code to protected branches", here, "push", at(developer), "main")
	must(t, here, "push", "-q", at(maintainer), "main")
	must(t, here, "commit", "-q", "--amend", "-m", "other")
	refused(t, "not allowed to force push", here, "push", "-f", at(maintainer), "main")
	refused(t, "The default branch of a project cannot be deleted", here, "push", at(maintainer), ":main")
	must(t, here, "push", "-q", at(developer), "main:topic")
	must(t, here, "commit", "-q", "--amend", "-m", "another")
	must(t, here, "push", "-q", "-f", at(developer), "main:topic")
	must(t, here, "tag", "v1")
	must(t, here, "push", "-q", at(developer), "v1")
	must(t, here, "tag", "-f", "v1", "HEAD~1")
	refused(t, "not allowed to change existing tags", here, "push", "-f", at(developer), "v1")
	refused(t, "not allowed to change this reference", here, "push", at(maintainer), "main:refs/hidden/x")
	// A refused ref does not stop the others, unless the push is atomic.
	refused(t, "not allowed to push code", here, "push", at(developer), "+main", "main:fine")
	if refs := must(t, here, "ls-remote", at(developer)); !strings.Contains(refs, "refs/heads/fine") {
		t.Errorf("the other ref did not come:\n%s", refs)
	}
	refused(t, "atomic", here, "push", "--atomic", at(developer), "+main", "main:never")
	if refs := must(t, here, "ls-remote", at(developer)); strings.Contains(refs, "never") {
		t.Errorf("half of an atomic push came:\n%s", refs)
	}
}

func TestAPushIsRecordedAsAnEvent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	here := newRepository(t)
	commit(t, here, "second", "second")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	commit(t, here, "b", "b")
	commit(t, here, "c", "c")
	must(t, here, "push", "-q", remote(h, "x", ann.Token, p.FullPath), "main")
	events, err := h.Store.Pushes.Events(t.Context(), p.ID)
	if err != nil || len(events) != 2 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if first := events[0]; *first.PushAction != "created" || first.CommitFrom != nil || *first.CommitCount != 2 {
		t.Errorf("the first event is %+v", first)
	}
	last := events[1]
	if *last.PushAction != "pushed" || *last.CommitCount != 2 || *last.Ref != "main" ||
		*last.CommitTitle != "Change c" || last.AuthorID != ann.User.ID {
		t.Errorf("the event is %+v", last)
	}
	if now, left, err := h.Store.Pushes.Unfinished(t.Context(), p.ID); err != nil || now.EmptyRepo || len(left) > 0 {
		t.Errorf("empty %v, notes are left: %v, %v", now.EmptyRepo, left, err)
	}
}

func TestGitReadsWhatTheAPIWrites(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	at := fmt.Sprintf("/projects/%d/repository/", p.ID)
	for _, step := range [][2]string{
		{"commits", `{"branch":"main","commit_message":"One","actions":[{"action":"create","file_path":"README",` +
			`"content":"1\n2\n3\n"},{"action":"create","file_path":"a/b","content":"b","execute_filemode":true}]}`},
		{"files/a%2Fc%2Emd", `{"branch":"main","commit_message":"Two","content":"c"}`},
		{"commits", `{"branch":"side","start_branch":"main","commit_message":"Three","actions":[{"action":"move",` +
			`"previous_path":"README","file_path":"README.md","content":"1\n2\nthree\n"}]}`},
		{"commits/side/cherry_pick", `{"branch":"main"}`},
	} {
		if got := ann.JSON("POST", at+step[0], step[1]); got.Status != 201 {
			t.Fatalf("%s: %d %s", step[0], got.Status, got.Body)
		}
	}
	there := filepath.Join(t.TempDir(), "clone")
	must(t, t.TempDir(), "clone", "-q", remote(h, "x", ann.Token, p.FullPath), there)
	must(t, there, "fsck", "--strict")
	if got := must(
		t, there, "ls-tree", "-r", "--format=%(objectmode) %(path)", "main",
	); got != "100644 README.md\n100755 a/b\n100644 a/c.md\n" {
		t.Errorf("the files are:\n%s", got)
	}
	if a, b := must(t, there, "rev-parse", "main^{tree}"), must(t, there, "rev-parse", "origin/side^{tree}"); a != b {
		t.Error("the picked commit made other files")
	}
	must(t, there, "pull", "-q")
	commit(t, there, "README.md", "pushed\n")
	must(t, there, "push", "-q")
	if row := ann.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""); !strings.Contains(row.Body, `/-/blob/main/README.md"`) {
		t.Errorf("the readme of a push is not known: %s", row.Body)
	}
	must(t, there, "rm", "-q", "README.md")
	must(t, there, "commit", "-q", "-m", "Remove it")
	must(t, there, "push", "-q")
	if row := ann.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""); !strings.Contains(row.Body, `"readme_url":null`) {
		t.Errorf("a readme that is gone is shown: %s", row.Body)
	}
}
