package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type mirror struct {
	ID      int64
	Enabled bool
	URL     string
	Status  string  `json:"update_status"`
	Error   *string `json:"last_error"`
	Ended   *string `json:"last_update_at"`
	Regex   *string `json:"mirror_branch_regex"`
}

// mirrored is a project with a history, and another server.
type mirrored struct {
	*harness.H
	owner *harness.Caller
	p     model.Project
	ours  *harness.History
	other *harness.GitServer
	path  string
}

func newMirrored(t *testing.T, edit ...func(*config.Config)) *mirrored {
	t.Helper()
	return mirroredIn(t, harness.New(t, edit...))
}

func mirroredIn(t *testing.T, h *harness.H) *mirrored {
	t.Helper()
	h.StartWorker()
	m := &mirrored{H: h, owner: h.NewUser(), ours: otherHistory(t), other: harness.NewGitServer(t, harness.NewHistory(t))}
	m.p = h.Project(*m.owner.User.NamespaceID)
	m.path = fmt.Sprintf("/projects/%d", m.p.ID)
	m.ours.Push(m.owner, m.p, "trunk") // it becomes the default branch
	m.ours.Push(m.owner, m.p)
	return m
}

// updated waits until an update of a mirror has ended, and returns the mirror.
func (m *mirrored) updated(t *testing.T, path string) mirror {
	t.Helper()
	var now mirror
	wait.Until(t, "the mirror is updated", func() bool {
		now = read[mirror](t, m.owner.Send("GET", path, ""), 200)
		return now.Status != "none" && now.Status != "started"
	})
	return now
}

// sync starts an update of a mirror, waits until it has ended, and returns the mirror.
func (m *mirrored) sync(t *testing.T, path, start string) mirror {
	t.Helper()
	before := read[mirror](t, m.owner.Send("GET", path, ""), 200)
	if got := m.owner.Send("POST", start, ""); got.Status != 204 && got.Status != 202 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	var now mirror
	wait.Until(t, "the mirror is updated again", func() bool {
		now = read[mirror](t, m.owner.Send("GET", path, ""), 200)
		return now.Status != "started" && wire.Value(now.Ended) != wire.Value(before.Ended)
	})
	return now
}

func refsOf(r *harness.History) string {
	return r.Git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags")
}

func TestAProjectPushesToItsMirrors(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", `{"url":"`+m.other.Remote()+`","enabled":true}`), 201)
	one := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)
	if now := m.updated(t, one); now.Status != "finished" || now.URL != m.other.Masked() {
		t.Fatalf("%+v, error %q", now, wire.Value(now.Error))
	}
	if got, want := refsOf(m.other.History), refsOf(m.ours); got != want {
		t.Errorf("the mirror has\n%s\nwant\n%s", got, want)
	}
	m.ours.Write("c.txt", "c\n")
	m.ours.Commit("Ann <ann@example.com>", "Third")
	m.ours.Git("branch", "-D", "feature")
	m.ours.Push(m.owner, m.p, "trunk", ":feature")
	if now := m.sync(t, one, one+"/sync"); now.Status != "finished" {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	if got, want := refsOf(m.other.History), refsOf(m.ours); got != want {
		t.Errorf("after a push, the mirror has\n%s\nwant\n%s", got, want)
	}
	expect(t, m.owner.Send("GET", m.path+"/remote_mirrors", ""), 200, "")
	if strings.Contains(m.Logs.String(), harness.GitPassword) {
		t.Error("the password is in the log")
	}
	expect(t, m.owner.JSON("PUT", one, `{"enabled":false}`), 200, "")
	expect(t, m.owner.Send("POST", one+"/sync", ""), 400, `{"message":"400 Bad request - The mirror is not enabled"}`)
	expect(t, m.owner.Send("DELETE", one, ""), 204, "")
	expect(t, m.owner.Send("GET", one, ""), 404, "")
}

func TestAMirrorKeepsDivergentRefs(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	m.other.History.Git("symbolic-ref", "HEAD", "refs/heads/trunk")
	m.other.History.Write("other.txt", "x\n")
	theirs := m.other.History.Commit("Ann <ann@example.com>", "Another history")
	m.other.History.Git("branch", "only-there")
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors",
		`{"url":"`+m.other.Remote()+`","enabled":true,"keep_divergent_refs":true,"mirror_branch_regex":"^(trunk|feature)$"}`), 201)
	one := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)
	if now := m.updated(t, one); now.Status != "failed" || !strings.Contains(wire.Value(now.Error), "refs/heads/trunk (it has diverged)") {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	refs := refsOf(m.other.History)
	if !strings.Contains(refs, "refs/heads/trunk "+theirs) || !strings.Contains(refs, "only-there") ||
		!strings.Contains(refs, "refs/heads/feature") {
		t.Errorf("the mirror has\n%s", refs)
	}
	expect(t, m.owner.JSON("PUT", one, `{"keep_divergent_refs":false}`), 200, "")
	if now := m.sync(t, one, one+"/sync"); now.Status != "finished" {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	if refs := refsOf(m.other.History); strings.Contains(refs, "refs/heads/trunk "+theirs) || !strings.Contains(refs, "only-there") {
		t.Errorf("the mirror has\n%s", refs)
	}
}

func TestAMirrorThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	m.other.Around(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { w.WriteHeader(http.StatusForbidden) })
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", `{"url":"`+m.other.Remote()+`","enabled":true}`), 201)
	now := m.updated(t, fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID))
	if now.Status != "to_retry" || !strings.Contains(wire.Value(now.Error), "refuses access") {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	pull := m.path + "/mirror/pull"
	read[mirror](t, m.owner.JSON("PUT", pull, `{"url":"`+m.other.Remote()+`","enabled":true}`), 200)
	if now := m.updated(t, pull); now.Status != "to_retry" || !strings.Contains(wire.Value(now.Error), "refuses access") {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
}

func TestMirrorsAreForMaintainers(t *testing.T) {
	t.Parallel()
	m := newMirrored(t, func(c *config.Config) { c.WebhookAllow = []string{"git.example.com"} })
	const body = `{"url":"https://git.example.com/a.git"}`
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", body), 201)
	if made.Enabled || made.Status != "none" || made.URL != "https://git.example.com/a.git" {
		t.Errorf("%+v", made)
	}
	one := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)
	lesser := []*harness.Caller{
		m.ProjectMember(m.p, model.Guest), m.ProjectMember(m.p, model.Reporter), m.ProjectMember(m.p, model.Developer),
	}
	expect(t, m.ProjectMember(m.p, model.Maintainer).Send("GET", one, ""), 200, "")
	for _, c := range []struct{ method, path, body string }{
		{"GET", m.path + "/remote_mirrors", ""},
		{"POST", m.path + "/remote_mirrors", body},
		{"GET", one, ""},
		{"PUT", one, `{"enabled":true}`},
		{"DELETE", one, ""},
		{"POST", one + "/sync", ""},
		{"GET", m.path + "/mirror/pull", ""},
		{"PUT", m.path + "/mirror/pull", body},
		{"POST", m.path + "/mirror/pull", ""},
	} {
		for _, caller := range lesser {
			expect(t, caller.JSON(c.method, c.path, c.body), 403, "")
		}
		expect(t, m.NewUser().JSON(c.method, c.path, c.body), 404, `{"message":"404 Project Not Found"}`)
		expect(t, m.Anonymous().JSON(c.method, c.path, c.body), 401, "")
	}
	for body, want := range map[string]string{
		`{}`: "url is missing", `{"url":"ssh://git@example.com/a.git"}`: "Only allowed schemes are http, https",
		`{"url":"http://127.0.0.1:1/a.git"}`:                                "is blocked: Requests to ",
		`{"url":"http://10.1.2.3/a.git"}`:                                   "the local network",
		`{"url":"https://git.example.com/a.git","mirror_branch_regex":"("}`: "is not a valid regular expression",
	} {
		for _, to := range [][2]string{{"POST", m.path + "/remote_mirrors"}, {"PUT", m.path + "/mirror/pull"}} {
			if got := m.owner.JSON(to[0], to[1], body); got.Status != 400 || !strings.Contains(got.Body, want) {
				t.Errorf("%s %s: %d %s", to[0], body, got.Status, got.Body)
			}
		}
	}
	for _, refused := range []string{
		`{"url":"https://git.example.com/a.git","auth_method":"ssh_public_key"}`,
		`{"url":"https://git.example.com/a.git","mirror_branch_regex":"x","only_protected_branches":true}`,
	} {
		expect(t, m.owner.JSON("POST", m.path+"/remote_mirrors", refused), 400, "")
	}
	expect(t, m.owner.Send("GET", m.path+"/mirror/pull", ""), 400, `{"message":"The project is not mirrored"}`)
	expect(t, m.owner.Send("POST", m.path+"/mirror/pull", ""), 400, `{"message":"The project is not mirrored"}`)
	for range 9 {
		expect(t, m.owner.JSON("POST", m.path+"/remote_mirrors", body), 201, "")
	}
	expect(t, m.owner.JSON("POST", m.path+"/remote_mirrors", body), 400, `{"message":{"base":["Maximum number of mirrors (10) exceeded"]}}`)
	got := m.owner.Send("GET", m.path+"/remote_mirrors?per_page=3&page=2", "")
	if got.Status != 200 || strings.Count(got.Body, `"url"`) != 3 {
		t.Errorf("a page: %d %s", got.Status, got.Body)
	}
}

func TestAProjectPullsFromItsMirror(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	m := &mirrored{H: h, owner: h.NewUser(), other: harness.NewGitServer(t, otherHistory(t))}
	m.p = h.Project(*m.owner.User.NamespaceID)
	m.path = fmt.Sprintf("/projects/%d", m.p.ID)
	pull := m.path + "/mirror/pull"
	plain := strings.Replace(m.other.Remote(), harness.GitUser+":"+harness.GitPassword+"@", "", 1)
	set := read[mirror](t, m.owner.JSON("PUT", pull, `{"url":"`+plain+`","auth_user":"`+harness.GitUser+`","auth_password":"`+
		harness.GitPassword+`","enabled":true}`), 200)
	if set.URL != m.other.Masked() {
		t.Errorf("%+v", set)
	}
	if now := m.updated(t, pull); now.Status != "finished" {
		t.Fatalf("%+v, error %q", now, wire.Value(now.Error))
	}
	expect(t, m.owner.Send("GET", m.path+"/repository/tags/v1", ""), 200, "")
	m.other.History.Write("new.txt", "n\n")
	tip := m.other.History.Commit("Ann <ann@example.com>", "New")
	if now := m.sync(t, pull, pull); now.Status != "finished" {
		t.Fatalf("%+v, error %q", now, wire.Value(now.Error))
	}
	if got := m.owner.Send("GET", m.path+"/repository/branches/trunk", ""); !strings.Contains(got.Body, tip) {
		t.Errorf("the branch is %s", got.Body)
	}
	m.other.History.Git("checkout", "-q", "-B", "trunk", "HEAD~1")
	m.other.History.Write("else.txt", "e\n")
	other := m.other.History.Commit("Ann <ann@example.com>", "Else")
	now := m.sync(t, pull, pull)
	if now.Status != "failed" || !strings.Contains(wire.Value(now.Error), "refs/heads/trunk (it has diverged)") {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	expect(t, m.owner.JSON("PUT", pull, `{"mirror_overwrites_diverged_branches":true}`), 200, "")
	if now := m.sync(t, pull, pull); now.Status != "finished" {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	if got := m.owner.Send("GET", m.path+"/repository/branches/trunk", ""); !strings.Contains(got.Body, other) {
		t.Errorf("the branch is %s", got.Body)
	}
	expect(t, m.owner.Send("GET", m.path+"/pipelines", ""), 200, "[]")
	expect(t, m.owner.JSON("PUT", pull, `{"enabled":false}`), 200, "")
	expect(t, m.owner.Send("POST", pull, ""), 400, `{"message":"400 Bad request - The mirror is not enabled"}`)
	if strings.Contains(m.Logs.String(), harness.GitPassword) {
		t.Error("the password is in the log")
	}
}

// after moves the clock, waits until the update that is due then has ended, and returns the mirror.
func (m *mirrored) after(t *testing.T, by time.Duration, path string) mirror {
	t.Helper()
	before := read[mirror](t, m.owner.Send("GET", path, ""), 200)
	forward(t, m.H, by)
	var now mirror
	wait.Until(t, "the mirror is updated by itself", func() bool {
		now = read[mirror](t, m.owner.Send("GET", path, ""), 200)
		return now.Status != "started" && wire.Value(now.Ended) != wire.Value(before.Ended)
	})
	return now
}

func TestAPushUpdatesTheMirrorLater(t *testing.T) {
	t.Parallel()
	m := mirroredIn(t, newClocked(t))
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", `{"url":"`+m.other.Remote()+`","enabled":true}`), 201)
	one := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)
	m.updated(t, one)
	m.ours.Write("c.txt", "c\n")
	m.ours.Commit("Ann <ann@example.com>", "Third")
	m.ours.Push(m.owner, m.p, "trunk")
	requests := m.other.Requests.Load()
	forward(t, m.H, 2*time.Minute)
	if now := read[mirror](t, m.owner.Send("GET", one, ""), 200); now.Status != "finished" || m.other.Requests.Load() != requests {
		t.Errorf("less than five minutes later: %+v", now)
	}
	if now := m.after(t, 4*time.Minute, one); now.Status != "finished" {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	if got, want := refsOf(m.other.History), refsOf(m.ours); got != want {
		t.Errorf("the mirror has\n%s\nwant\n%s", got, want)
	}
}

func TestAMirrorThatFailsIsTriedLaterAndThenNoMore(t *testing.T) {
	t.Parallel()
	m := mirroredIn(t, newClocked(t))
	m.other.Around(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { w.WriteHeader(http.StatusBadGateway) })
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", `{"url":"`+m.other.Remote()+`","enabled":true}`), 201)
	push, pull := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID), m.path+"/mirror/pull"
	read[mirror](t, m.owner.JSON("PUT", pull, `{"url":"`+m.other.Remote()+`","enabled":true}`), 200)
	m.updated(t, push)
	m.updated(t, pull)
	requests := m.other.Requests.Load()
	forward(t, m.H, 2*time.Minute)
	if now := m.other.Requests.Load(); now != requests {
		t.Errorf("two minutes after a failure, the service sent %d requests", now-requests)
	}
	for n := 2; n <= 14; n++ {
		m.after(t, 5*time.Hour, push)
		wait.Until(t, "the pull has ended", func() bool {
			return read[mirror](t, m.owner.Send("GET", pull, ""), 200).Status != "started"
		})
	}
	for _, path := range []string{push, pull} {
		now := read[mirror](t, m.owner.Send("GET", path, ""), 200)
		if now.Status != "failed" || !strings.Contains(wire.Value(now.Error), "502") {
			t.Errorf("%s after 14 failures: %+v, error %q", path, now, wire.Value(now.Error))
		}
	}
	requests = m.other.Requests.Load()
	if requests != 28 {
		t.Errorf("%d requests, want 14 of each mirror", requests)
	}
	forward(t, m.H, 48*time.Hour)
	if now := m.other.Requests.Load(); now != requests {
		t.Errorf("after the last failure, the service sent %d requests", now-requests)
	}
	m.other.Around(func(w http.ResponseWriter, r *http.Request, serve http.Handler) { serve.ServeHTTP(w, r) })
	for path, start := range map[string]string{push: push + "/sync", pull: pull} {
		if now := m.sync(t, path, start); now.Status != "finished" || now.Error != nil {
			t.Errorf("%s: %+v, error %q", path, now, wire.Value(now.Error))
		}
	}
}

func TestAMirrorHasProtectedBranchesOnly(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors",
		`{"url":"`+m.other.Remote()+`","enabled":true,"only_protected_branches":true}`), 201)
	if now := m.updated(t, fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)); now.Status != "finished" {
		t.Fatalf("%+v, error %q", now, wire.Value(now.Error))
	}
	if refs := refsOf(m.other.History); !strings.Contains(refs, "refs/heads/trunk ") || strings.Contains(refs, "feature") ||
		!strings.Contains(refs, "refs/tags/v1 ") {
		t.Errorf("the mirror has\n%s", refs)
	}
}

func TestAMirrorThatIsSwitchedOffCanBeSwitchedOnAgain(t *testing.T) {
	t.Parallel()
	m := newMirrored(t)
	held, release := make(chan struct{}, 8), make(chan struct{})
	m.other.Around(func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		held <- struct{}{}
		<-release
		serve.ServeHTTP(w, r)
	})
	made := read[mirror](t, m.owner.JSON("POST", m.path+"/remote_mirrors", `{"url":"`+m.other.Remote()+`","enabled":true}`), 201)
	one := fmt.Sprintf("%s/remote_mirrors/%d", m.path, made.ID)
	<-held
	expect(t, m.owner.Send("POST", one+"/sync", ""), 204, "") // it waits for the running push
	expect(t, m.owner.JSON("PUT", one, `{"enabled":false}`), 200, "")
	close(release)
	if now := m.updated(t, one); now.Status != "finished" || now.Enabled {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
	expect(t, m.owner.JSON("PUT", one, `{"enabled":true}`), 200, "")
	if now := m.updated(t, one); now.Status != "finished" || !now.Enabled {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
}

func TestNewCredentialsOfAPullMirrorAreUsed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	m := &mirrored{H: h, owner: h.NewUser(), other: harness.NewGitServer(t, otherHistory(t))}
	m.p = h.Project(*m.owner.User.NamespaceID)
	pull := fmt.Sprintf("/projects/%d/mirror/pull", m.p.ID)
	wrong := strings.Replace(m.other.Remote(), harness.GitPassword, "wrong", 1)
	read[mirror](t, m.owner.JSON("PUT", pull, `{"url":"`+wrong+`","enabled":true}`), 200)
	if now := m.updated(t, pull); now.Status != "to_retry" {
		t.Fatalf("%+v, error %q", now, wire.Value(now.Error))
	}
	expect(t, m.owner.JSON("PUT", pull, `{"auth_password":"`+harness.GitPassword+`"}`), 200, "")
	if now := m.updated(t, pull); now.Status != "finished" {
		t.Errorf("%+v, error %q", now, wire.Value(now.Error))
	}
}
