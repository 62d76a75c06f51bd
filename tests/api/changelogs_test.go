package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// changelogRepo is a project and the local repository that tests push to it.
type changelogRepo struct {
	t      *testing.T
	h      *harness.H
	p      model.Project
	owner  *harness.Caller
	folder string
	path   string // URL path of the changelog operations
	clock  int64  // Unix time of the next git command; it grows with each one
}

func newChangelogRepo(t *testing.T, edit ...func(*model.Project)) *changelogRepo {
	t.Helper()
	return changelogRepoOn(t, harness.New(t), edit...)
}

func changelogRepoOn(t *testing.T, h *harness.H, edit ...func(*model.Project)) *changelogRepo {
	t.Helper()
	r := &changelogRepo{t: t, h: h, owner: h.NewUser(named("ann")), folder: t.TempDir(), clock: 1_700_000_000}
	group := h.Group(at("acme"))
	h.Join(group, r.owner.User, model.Owner)
	r.p = h.Project(group.ID, append([]func(*model.Project){called("web", model.Private)}, edit...)...)
	r.path = "/projects/acme%2Fweb/repository/changelog"
	r.git("init", "-q", "-b", "main")
	return r
}

func (r *changelogRepo) git(args ...string) string { return r.gitAs("ann@example.com", args...) }

func (r *changelogRepo) gitAs(email string, args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "git", args...)
	cmd.Dir = r.folder
	r.clock++
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=X", "GIT_AUTHOR_EMAIL="+email, "GIT_COMMITTER_NAME=X", "GIT_COMMITTER_EMAIL=x@example.com",
		fmt.Sprintf("GIT_AUTHOR_DATE=%d +0000", r.clock), fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", r.clock))
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit makes a commit without files and returns its id.
func (r *changelogRepo) commit(email, message string) string {
	r.t.Helper()
	r.gitAs(email, "commit", "-q", "--allow-empty", "-m", message)
	return r.git("rev-parse", "HEAD")
}

// write commits a file.
func (r *changelogRepo) write(file, text string) {
	r.t.Helper()
	place := filepath.Join(r.folder, file)
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(place, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", "Write "+file)
}

func (r *changelogRepo) remote() string {
	u, _ := url.Parse(r.h.URL)
	u.User, u.Path = url.UserPassword("oauth2", r.owner.Token), "/acme/web.git"
	return u.String()
}

func (r *changelogRepo) push() {
	r.t.Helper()
	r.git("push", "-q", "--tags", r.remote(), "main")
}

// get requests a changelog as a new user, because the rate limit is per user.
func (r *changelogRepo) get(query string) harness.Answer {
	r.t.Helper()
	return r.h.ProjectMember(r.p, model.Reporter).Send("GET", r.path+"?"+query, "")
}

func (r *changelogRepo) notes(query string) string {
	r.t.Helper()
	return read[struct{ Notes string }](r.t, r.get(query), 200).Notes
}

func (r *changelogRepo) post(body string) harness.Answer {
	r.t.Helper()
	return r.h.ProjectMember(r.p, model.Maintainer).JSON("POST", r.path, body)
}

// file returns the content of a file of a branch, as a clone has it.
func (r *changelogRepo) file(branch, name string) string {
	r.t.Helper()
	r.git("fetch", "-q", r.remote(), branch)
	return r.git("show", "FETCH_HEAD:"+name) + "\n"
}

func failedChangelog(reason string) string {
	text, _ := json.Marshal("Failed to generate the changelog: " + reason)
	return `{"message":` + string(text) + `}`
}

const (
	noChangelogStart = "The commit start range is unspecified, and no previous tag could be found to use instead"
	noChangelogRange = "Invalid or not found commit value in the given range"
	noChangelogHere  = `{"message":"403 Forbidden - You are not allowed to commit a changelog on this branch"}`
)

func TestAChangelogIsGeneratedFromCommits(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	h := r.h
	outsider := h.NewUser(named("eve"))
	if err := h.Store.Users.Update(t.Context(), outsider.User.ID, map[string]any{"confirmed_at": outsider.User.CreatedAt}); err != nil {
		t.Fatal(err)
	}
	h.NewUser(named("mallory", func(u *model.User) { u.ConfirmedAt = nil }))
	start := r.commit("ann@example.com", "Start\n\nChangelog: added")
	r.git("tag", "-a", "v1.0.0", "-m", "one")
	r.git("tag", "v1.1.0-rc1")
	one := r.commit("ann@example.com", "Add a thing\n\nMore text.\n\nChangelog: added\nEE: true")
	r.commit("ann@example.com", "No trailer at all")
	r.commit("ann@example.com", "Other case\n\nchangelog: added")
	r.commit("ann@example.com", "In the middle\n\nChangelog: added\n\nThis is text, so the line above is not a trailer.")
	r.git("switch", "-q", "-c", "topic")
	two := r.commit("EVE@example.com", "Fix [a] *bug*\n\nChangelog: fixed")
	r.git("switch", "-q", "main")
	five := r.commit(fmt.Sprintf("%d-eve@users.noreply.127.0.0.1", outsider.User.ID), "Fix more\n\nChangelog: fixed")
	six := r.commit(fmt.Sprintf("%d-ann@users.noreply.127.0.0.1", outsider.User.ID), "Fix most\n\nChangelog: fixed")
	three := r.commit("mallory@example.com", "Add another\n\nChangelog: added")
	r.git("merge", "-q", "--no-ff", "topic", "-m", "Merge topic")
	undone := r.commit("ann@example.com", "Break it\n\nChangelog: broken")
	r.commit("ann@example.com", "Revert \"Break it\"\n\nThis reverts commit "+undone+".")
	gone := r.commit("ann@example.com", "Old way\n\nChangelog: added")
	four := r.commit("ann@example.com", "Drop the old way\n\nThis reverts commit "+gone+".\n\nChangelog: removed")
	r.push()
	line := func(title, sha string) string {
		return "- [" + title + "](" + h.URL + "/acme/web/-/commit/" + sha + ")"
	}
	added := "### added (2 changes)\n\n" + line("Add another", three) + "\n" + line("Add a thing", one) + "\n\n"
	fixed := "### fixed (3 changes)\n\n" + line("Fix most", six) + "\n" + line("Fix more", five) + " by @eve\n" +
		line("Fix [a] *bug*", two) + " by @eve\n\n"
	removed := "### removed (1 change)\n\n" + line("Drop the old way", four) + "\n\n"
	want := "## 1.1.0 (2026-01-02)\n\n" + removed + added + fixed
	for _, query := range []string{
		"version=1.1.0&date=2026-01-02", "version=1.1.0&date=2026-01-02T23:00:00-05:00", "version=1.1.0&date=2026-01-02&from=" + start,
		"version=1.1.0&date=2026-01-02&from=v1.0.0&to=main", "version=1.1.0&date=2026-01-02&to=" + four,
		"version=1.1.0&date=2026-01-02&trailer=Changelog&from=&to=",
	} {
		if got := r.notes(query); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
	}
	if got := r.notes("version=1.1.0&date=2026-01-02&from=" + four + "~1"); got != "## 1.1.0 (2026-01-02)\n\n"+removed {
		t.Errorf("one commit:\n%s", got)
	}
	if got := r.notes("version=v1.1.0&date=2026-01-02&from=main"); got != "## v1.1.0 (2026-01-02)\n\nNo changes.\n\n" {
		t.Errorf("no commits:\n%s", got)
	}
	if got := r.notes("version=1.1.0&date=2026-01-02&trailer=EE"); got != "## 1.1.0 (2026-01-02)\n\n### true (1 change)\n\n"+
		line("Add a thing", one)+"\n\n" {
		t.Errorf("another trailer:\n%s", got)
	}
	expect(t, r.get("version=1.0.0"), 422, failedChangelog(noChangelogStart))
	expect(t, r.get("version=0.1.0"), 422, failedChangelog(noChangelogStart))
}

func TestAChangelogFollowsItsConfiguration(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	team, hidden := r.h.Group(at("team")), r.h.Group(at("hidden"))
	r.h.Join(hidden, r.owner.User, model.Guest)
	if err := r.h.Store.Users.Update(t.Context(), r.owner.User.ID, map[string]any{"confirmed_at": r.owner.User.CreatedAt}); err != nil {
		t.Fatal(err)
	}
	r.commit("ann@example.com", "Start")
	r.git("tag", "release-1.0.0")
	sha := r.commit("ann@example.com", "Thing\n\nChangelog: fixed")
	link := "[Thing](" + r.h.URL + "/acme/web/-/commit/" + sha + ")"
	r.write(".gitlab/changelog_config.yml", "categories: {fixed: From the second place}\n")
	r.push()
	const query = "version=1.1.0&date=2026-01-02&from=release-1.0.0"
	if got := r.notes(query); got != "## 1.1.0 (2026-01-02)\n\n### From the second place (1 change)\n\n- "+link+"\n\n" {
		t.Errorf("the second place:\n%s", got)
	}
	r.write(".svc/changelog_config.yml", "categories: {fixed: Bugs}\ndate_format: '%d.%m.%Y'\ninclude_groups: [team, hidden, none]\n"+
		`tag_regex: '^release-(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)$'`+"\n")
	r.write("other.yml", "template: |\n  {% each categories %}\n  {% each entries %}\n  {{ title }} {{ "+
		"commit.reference }} {{ author.reference }} {{ author.credit }}\n  {% end %}\n  {% end %}\n")
	r.push()
	plain := "version=1.1.0&date=2026-01-02"
	if got := r.notes(plain); got != "## 1.1.0 (02.01.2026)\n\n### Bugs (1 change)\n\n- "+link+"\n\n" {
		t.Errorf("the first place:\n%s", got)
	}
	// Callers who can see the group get credits for its members; others do not.
	if got := read[struct{ Notes string }](t, r.owner.Send("GET", r.path+"?"+plain, ""), 200).Notes; !strings.HasSuffix(got,
		"- "+link+" by @ann\n\n") {
		t.Errorf("with a group that only its members see:\n%s", got)
	}
	if err := r.h.Store.Namespaces.Update(t.Context(), team.ID, map[string]any{"visibility": model.Public}); err != nil {
		t.Fatal(err)
	}
	r.h.Join(team, r.owner.User, model.Guest)
	if got := r.notes(plain); !strings.HasSuffix(got, "- "+link+" by @ann\n\n") {
		t.Errorf("with a group that all see:\n%s", got)
	}
	if got := r.notes(query + "&config_file=other.yml"); got != "## 1.1.0 (2026-01-02)\n\nThing acme/web@"+sha+" @ann false\n\n" {
		t.Errorf("with a template:\n%s", got)
	}
	if got := r.notes(query + "&config_file=none.yml"); !strings.Contains(got, "### fixed (1 change)") {
		t.Errorf("without the file:\n%s", got)
	}
	if got := r.notes(query + "&config_file_ref=release-1.0.0"); !strings.Contains(got, "### fixed (1 change)") {
		t.Errorf("at another commit:\n%s", got)
	}
	for text, reason := range map[string]string{
		"categories: [a]":                 `The "categories" configuration key must be a Hash`,
		"template: '{{ x'":                "The template is not valid: line 1: }} is missing",
		"tag_regex: '['":                  "The \"tag_regex\" configuration key is not a valid regular expression: missing closing ]: `[`",
		"a: [":                            "The configuration is not valid YAML: line 2: did not find expected node content",
		"#" + strings.Repeat("x", 200000): "A file or a commit message is too large",
	} {
		r.write("bad.yml", text)
		r.push()
		expect(t, r.get(query+"&config_file=bad.yml"), 422, failedChangelog(reason))
	}
}

func TestBadInputForAChangelogIsRefused(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	expect(t, r.get("version=1.0.0"), 422, failedChangelog(noChangelogStart))
	expect(t, r.get("version=1.0.0&from=main"), 422, failedChangelog(noChangelogRange))
	expect(t, r.post(`{"version":"1.0.0","from":"main"}`), 422, failedChangelog(noChangelogRange))
	r.write("folder/file", "x")
	if err := os.Symlink("folder/file", filepath.Join(r.folder, "link")); err != nil {
		t.Fatal(err)
	}
	r.write("more", "x")
	r.push()
	tree := r.git("rev-parse", "main^{tree}")
	for query, want := range map[string]string{
		"": "version is missing", "version=": "version is empty", "version=1.0": "version is invalid",
		"version=one": "version is invalid", "version=1.0.0%0A": "version is invalid",
		"version=01.0.0": "version is invalid", "version=vv1.0.0": "version is invalid",
		"version=1.0.0-" + strings.Repeat("a", 300):  "version is invalid",
		"version=1.0.0&date=yesterday":               "date is invalid",
		"version=1.0.0&config_file=../../etc/passwd": "config_file is invalid",
		"version=1.0.0&config_file=a/.git/config":    "config_file is invalid",
	} {
		expect(t, r.get(query), 400, `{"error":"`+want+`"}`)
	}
	for _, end := range []string{
		"none", "--all", "main..main", "main@{1}", "main%0A", "^main", "main:more", tree, strings.Repeat("0", 40),
		strings.Repeat("f", 40), "refs/../HEAD",
	} {
		expect(t, r.get("version=1.0.0&from="+end), 422, failedChangelog(noChangelogRange))
		expect(t, r.get("version=1.0.0&from=main&to="+end), 422, failedChangelog(noChangelogRange))
	}
	expect(t, r.get("version=1.0.0&from=%00"), 400, `{"error":"from is invalid"}`)
	before := r.git("ls-remote", r.remote())
	for body, want := range map[string]string{
		`{}`: "version is missing", `{"version":""}`: "version is empty", `{"version":"x"}`: "version is invalid",
		`{"version":"1.0.0","date":"x"}`:           "date is invalid",
		`{"version":"1.0.0","file":"../x"}`:        "file is invalid",
		`{"version":"1.0.0","file":".git/config"}`: "file is invalid", `{"version":"1.0.0","file":"/"}`: "file is invalid",
		`{"version":"1.0.0","message":" \n"}`: "message is invalid", `{"version":"1.0.0","message":"a\u0000"}`: "message is invalid",
	} {
		expect(t, r.post(body), 400, `{"error":"`+want+`"}`)
	}
	for body, reason := range map[string]string{
		`"branch":"none"`: noChangelogRange, `"branch":"none","to":"main"`: noChangelogRange, `"branch":"--all"`: noChangelogRange,
		`"file":"folder"`: "The path of the changelog is not a file",
		`"file":"link"`:   "The path of the changelog is not a file",
		`"file":"more/x"`: "A file with this name already exists",
	} {
		expect(t, r.post(`{"version":"1.0.0","from":"main",`+body+`}`), 422, failedChangelog(reason))
	}
	if after := r.git("ls-remote", r.remote()); after != before {
		t.Errorf("something was changed:\n%s\n%s", before, after)
	}
}

func TestAChangelogIsCommitted(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	r.commit("x@example.com", "Start")
	r.git("tag", "v1.0.0")
	sha := r.commit("x@example.com", "Thing\n\nChangelog: added")
	r.push()
	section := func(version string) string {
		return "## " + version + " (2026-01-02)\n\n### added (1 change)\n\n- [Thing](" + r.h.URL + "/acme/web/-/commit/" + sha + ")\n"
	}
	first := r.owner.JSON("POST", r.path, `{"version":"1.2.0","date":"2026-01-02"}`)
	expect(t, first, 200, `{}`)
	if got := r.file("main", "CHANGELOG.md"); got != section("1.2.0") {
		t.Errorf("the file is\n%s", got)
	}
	if got := r.git("log", "-1", "--format=%an|%ae|%cn|%s|%P",
		"FETCH_HEAD"); got != "Ann|ann@example.com|Ann|Add changelog for version 1.2.0|"+sha {
		t.Errorf("the commit is %s", got)
	}
	events, err := r.h.Store.Pushes.Events(t.Context(), r.p.ID)
	if last := events[len(events)-1]; err != nil || last.AuthorID != r.owner.User.ID ||
		*last.CommitTitle != "Add changelog for version 1.2.0" || *last.CommitCount != 1 {
		t.Errorf("the event is %+v, %v", last, err)
	}
	// A version that the file already has is not committed again.
	head := r.git("rev-parse", "FETCH_HEAD")
	expect(t, r.post(`{"version":"v1.2.0","date":"2030-01-02"}`), 200, `{}`)
	r.git("fetch", "-q", r.remote(), "main")
	if now := r.git("rev-parse", "FETCH_HEAD"); now != head {
		t.Errorf("committed once more: %s", now)
	}
	// A lower version goes below, a higher one above. Form bodies and query parameters work, too.
	r.git("pull", "-q", r.remote(), "main")
	maintainer := r.h.ProjectMember(r.p, model.Maintainer)
	expect(t, maintainer.Form("POST", r.path, "version=1.1.0&date=2026-01-02&from=v1.0.0&to="+sha+"&message=My+words"), 200, `{}`)
	expect(t, maintainer.Send("POST", r.path+"?version=1.10.0&date=2026-01-02&from=v1.0.0&to="+sha, ""), 200, `{}`)
	if got, want := r.file("main", "CHANGELOG.md"), section("1.10.0")+"\n"+section("1.2.0")+"\n"+section("1.1.0"); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if got := r.git("log", "-1", "--format=%B", "FETCH_HEAD~1"); got != "My words" {
		t.Errorf("the message is %q", got)
	}
	// Writes another file on another branch.
	r.git("push", "-q", r.remote(), sha+":refs/heads/topic")
	expect(t, r.post(`{"version":"1.1.0","date":"2026-01-02","branch":"topic","file":"docs/News.md"}`), 200, `{}`)
	if got := r.file("topic", "docs/News.md"); got != section("1.1.0") {
		t.Errorf("the file is\n%s", got)
	}
	if out := r.git("fsck", "--strict"); strings.Contains(out, "error") {
		t.Error(out)
	}
}

func TestCommittingAChangelogNeedsPushAccess(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	first := r.commit("x@example.com", "Start")
	r.push()
	r.git("push", "-q", r.remote(), "main:topic")
	developer, reporter := r.h.ProjectMember(r.p, model.Developer), r.h.ProjectMember(r.p, model.Reporter)
	body := func(branch string) string {
		return fmt.Sprintf(`{"version":"1.0.0","from":%q,"branch":%q}`, first, branch)
	}
	expect(t, developer.JSON("POST", r.path, body("main")), 403, noChangelogHere)
	expect(t, developer.JSON("POST", r.path, body("")), 403, noChangelogHere)
	expect(t, reporter.JSON("POST", r.path, body("topic")), 403, noChangelogHere)
	expect(t, r.h.NewUser().JSON("POST", r.path, body("topic")), 404, `{"message":"404 Project Not Found"}`)
	expect(t, r.h.Anonymous().JSON("POST", r.path, body("topic")), 401, "")
	expect(t, developer.JSON("POST", r.path, body("topic")), 200, `{}`)
	expect(t, r.h.ProjectMember(r.p, model.Guest).Send("GET", r.path+"?version=1.0.0", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, r.h.NewUser().Send("GET", r.path+"?version=1.0.0", ""), 404, `{"message":"404 Project Not Found"}`)
	if err := r.h.Store.Projects.Update(t.Context(), r.p.ID, map[string]any{"repository_read_only": true}); err != nil {
		t.Fatal(err)
	}
	expect(t, r.post(body("main")), 403, noChangelogHere)
	if err := r.h.Store.Projects.Update(t.Context(), r.p.ID, map[string]any{"repository_read_only": false, "archived": true}); err != nil {
		t.Fatal(err)
	}
	expect(t, r.post(body("main")), 403, noChangelogHere)
	expect(t, r.get("version=1.0.0&from=main"), 200, "")
	if err := r.h.Store.Namespaces.Update(t.Context(), r.p.NamespaceID, map[string]any{"visibility": model.Public}); err != nil {
		t.Fatal(err)
	}
	if err := r.h.Store.Projects.Update(t.Context(), r.p.ID, map[string]any{"visibility": model.Public}); err != nil {
		t.Fatal(err)
	}
	anyone := r.h.Anonymous()
	harness.WaitForMinute(15 * time.Second)
	for range 5 {
		expect(t, anyone.Send("GET", r.path+"?version=1.0.0&from=main", ""), 200, "")
	}
	expect(t, anyone.Send("GET", r.path+"?version=1.0.0&from=main", ""), 429,
		`{"message":{"error":"This changelog has been requested too many times. Try again later."}}`)
}

// Concurrent commits lose nothing: the file has all sections, in order.
func TestConcurrentChangelogCommitsAreAllKept(t *testing.T) {
	t.Parallel()
	r := newChangelogRepo(t)
	first := r.commit("x@example.com", "Start")
	r.push()
	const many = 6
	callers := make([]*harness.Caller, many)
	for i := range callers {
		callers[i] = r.h.ProjectMember(r.p, model.Maintainer)
	}
	var all sync.WaitGroup
	for i, c := range callers {
		all.Go(func() {
			expect(t, c.JSON("POST", r.path,
				fmt.Sprintf(`{"version":"1.%d.0","from":%q,"to":%q,"date":"2026-01-02"}`, i, first, first)), 200, `{}`)
		})
	}
	all.Wait()
	var want []string
	for i := range many {
		want = append([]string{fmt.Sprintf("## 1.%d.0 (2026-01-02)\n\nNo changes.\n", i)}, want...)
	}
	if got := r.file("main", "CHANGELOG.md"); got != strings.Join(want, "\n") {
		t.Errorf("the file is\n%s", got)
	}
	if got := r.git("rev-list", "--count", "FETCH_HEAD"); got != fmt.Sprint(many+1) {
		t.Errorf("%s commits", got)
	}
}

func TestAChangelogOfTooManyCommitsIsRefused(t *testing.T) {
	t.Parallel()
	const setting = "changelog-commits-limitation"
	for _, limited := range []bool{true, false} {
		t.Run(fmt.Sprint(setting, "=", limited), func(t *testing.T) {
			t.Parallel()
			testManyCommits(t, limited)
		})
	}
}

func testManyCommits(t *testing.T, limited bool) {
	t.Helper()
	r := changelogRepoOn(t, harness.New(t, func(c *config.Config) { c.ChangelogLimitation = limited }))
	var stream strings.Builder
	for i := range 15002 {
		fmt.Fprintf(&stream,
			"commit refs/heads/main\ncommitter X <x@example.com> %d +0000\ndata <<.\nCommit %d\n\nChangelog: added\n.\n\n", 1700000000+i, i)
	}
	place := filepath.Join(t.TempDir(), "stream")
	if err := os.WriteFile(place, []byte(stream.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = r.folder, in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	r.push()
	if !limited {
		if got := r.notes("version=1.0.0&from=main~15001"); strings.Count(got, "\n- [") != 15001 {
			t.Errorf("%d entries", strings.Count(got, "\n- ["))
		}
		return
	}
	expect(t, r.get("version=1.0.0&from=main~15001"), 422, failedChangelog("The commits range exceeds 15000 elements."))
	if got := r.notes("version=1.0.0&from=main~15000"); !strings.Contains(got, "### added (15000 changes)\n\n- [Commit 15001](") ||
		strings.Count(got, "\n- [") != 15000 {
		t.Errorf("%.300s", got)
	}
}
