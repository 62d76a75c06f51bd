package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

const branchesPath = "/projects/acme%2Fweb/repository/branches"

// branch is a branch in a response.
type branch struct {
	Name           string `json:"name"`
	Commit         commit `json:"commit"`
	Merged         bool   `json:"merged"`
	Protected      bool   `json:"protected"`
	DevelopersPush bool   `json:"developers_can_push"`
	CanPush        bool   `json:"can_push"`
	Default        bool   `json:"default"`
}

func branchNames(rows []branch) []string {
	out := []string{}
	for _, row := range rows {
		out = append(out, row.Name)
	}
	return out
}

// gitBranches returns the branches that git lists with these arguments.
func gitBranches(r *history, args ...string) []string {
	return r.lines(append([]string{"for-each-ref", "--format=%(refname:lstrip=2)"}, append(args, "refs/heads")...)...)
}

func TestBranchesAreListedAsGitDoes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	r.push(h, maintainer, "main:refs/heads/Zed", "main~3:refs/heads/a-b", "main:refs/heads/same")
	r.run("branch", "Zed", "main")
	r.run("branch", "a-b", "main~3")
	r.run("branch", "same", "main")
	all := read[[]branch](t, maintainer.Send("GET", branchesPath, ""), 200)
	if got, want := branchNames(all), gitBranches(r); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	merged := gitBranches(r, "--merged=main", "--no-contains=main")
	for _, b := range all {
		if b.Commit.ID != r.run("rev-parse", b.Name) || b.Merged != slices.Contains(merged, b.Name) ||
			b.Default != (b.Name == "main") || b.Protected != (b.Name == "main") || !b.CanPush {
			t.Errorf("%+v", b)
		}
	}
	expectSortedBranches(t, r, maintainer)
	expectFilteredBranches(t, maintainer)
	expectPagesOfBranches(t, h, maintainer, gitBranches(r))
	h.Golden("listProjectRepositoryBranches/page", maintainer.Send("GET", branchesPath+"?per_page=3", "").Body)
}

// expectSortedBranches compares the order of the branches with that of git. Branches with equal times may be in any
// order.
func expectSortedBranches(t *testing.T, r *history, c *harness.Caller) {
	t.Helper()
	times := func(names []string) []string {
		return r.lines(append([]string{"show", "-s", "--format=%ct"}, names...)...)
	}
	for sort, want := range map[string][]string{
		"updated_asc": gitBranches(r, "--sort=committerdate"), "updated_desc": gitBranches(r, "--sort=-committerdate"),
	} {
		got := branchNames(read[[]branch](t, c.Send("GET", branchesPath+"?sort="+sort, ""), 200))
		if !slices.Equal(times(got), times(want)) {
			t.Errorf("%s: %v, want %v", sort, got, want)
		}
	}
}

// expectFilteredBranches searches for branches, and checks that invalid searches are refused.
func expectFilteredBranches(t *testing.T, c *harness.Caller) {
	t.Helper()
	for query, want := range map[string][]string{
		"search=O":               {"open/work", "topic"},
		"search=^o":              {"open/work"},
		"search=WORK$":           {"open/work"},
		"search=^topic$":         {"topic"},
		"search=.*":              {},
		"regex=" + `^(a|Z).%2B$`: {"Zed", "a-b"},
		"regex=x{0}main":         {"main"},
	} {
		names := branchNames(read[[]branch](t, c.Send("GET", branchesPath+"?"+query, ""), 200))
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", query, names, want)
		}
	}
	for query, want := range map[string]string{
		"regex=(":                            `{"error":"regex is invalid"}`,
		"regex=(a%2B)%5C1":                   `{"error":"regex is invalid"}`,
		"regex=" + strings.Repeat("a", 1001): `{"error":"regex is invalid"}`,
		"regex=a&search=b":                   `{"error":"search, regex are mutually exclusive"}`,
		"sort=size":                          `{"error":"sort does not have a valid value"}`,
	} {
		expect(t, c.Send("GET", branchesPath+"?"+query, ""), 400, want)
	}
}

// expectPagesOfBranches reads the six branches page by page, with page numbers and with keyset pagination.
func expectPagesOfBranches(t *testing.T, h *harness.H, c *harness.Caller, all []string) {
	t.Helper()
	for query, want := range map[string][]string{"per_page=2&page=2": all[2:4], "page=9": {}} {
		names := branchNames(read[[]branch](t, c.Send("GET", branchesPath+"?"+query, ""), 200))
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", query, names, want)
		}
	}
	if got := c.Send("GET", branchesPath+"?per_page=2", ""); got.Header.Get("X-Total") != "6" ||
		got.Header.Get("X-Total-Pages") != "3" {
		t.Errorf("%v", got.Header)
	}
	expect(t, c.Send("GET", branchesPath+"?sort=updated_asc&pagination=keyset", ""), 405,
		`{"error":"Keyset pagination is not yet available for this type of request"}`)
	var walked []string
	for path := branchesPath + "?pagination=keyset&per_page=4"; path != ""; {
		got := c.Send("GET", path, "")
		walked = append(walked, branchNames(read[[]branch](t, got, 200))...)
		next, _, _ := strings.Cut(strings.TrimPrefix(got.Header.Get("Link"), "<"), ">")
		path = strings.TrimPrefix(next, h.URL+"/api/v4")
	}
	if !slices.Equal(walked, all) {
		t.Errorf("walked %v, want %v", walked, all)
	}
	expect(t, c.Send("GET", branchesPath+"?pagination=keyset&page_token=zzz", ""), 200, "[]")
}

func TestABranchIsReadCreatedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Public)
	developer, anyone := h.ProjectMember(r.project, model.Developer), h.Anonymous()
	one := branchesPath + "/feature%2Fone"
	created := developer.JSON("POST", branchesPath, `{"branch":"feature/one","ref":"v1.0"}`)
	got := read[branch](t, created, 201)
	if got.Commit.ID != r.run("rev-parse", "v1.0^{}") || !got.Merged || !got.CanPush || got.Protected {
		t.Errorf("%+v", got)
	}
	h.Golden("createProjectRepositoryBranch/feature", created.Body)
	expect(t, developer.Send("GET", one, ""), 200, created.Body)
	expect(t, anyone.Send("GET", one, ""), 200, strings.Replace(created.Body, `"can_push":true`, `"can_push":false`, 1))
	expect(t, anyone.Send("HEAD", one, ""), 204, "")
	expect(t, anyone.Send("HEAD", branchesPath+"/none", ""), 404, "")
	main := read[branch](t, developer.Send("GET", branchesPath+"/main", ""), 200)
	if !main.Protected || main.CanPush || main.DevelopersPush || !main.Default || main.Merged {
		t.Errorf("%+v", main)
	}
	expectInvalidBranchesRefused(t, developer)
	for _, name := range []string{"-x", "a..b", "a%40%7Bb", "a%20b", "a.lock", "a%0Ab"} {
		expect(t, anyone.Send("GET", branchesPath+"/"+name, ""), 400, `{"message":"The branch refname is invalid"}`)
	}
	expect(t, anyone.Send("GET", branchesPath+"/none", ""), 404, `{"message":"404 Branch Not Found"}`)
	// A branch is deleted only if no rule forbids it.
	expect(t, developer.Send("DELETE", branchesPath+"/main", ""), 400,
		`{"message":"The default branch of a project cannot be deleted."}`)
	long := time.Unix(1600000000, 0).UTC().Format(http.TimeFormat)
	expect(t, developer.Send("DELETE", one, "", "If-Unmodified-Since", long), 412, "")
	expect(t, developer.Send("DELETE", one, ""), 204, "")
	expect(t, developer.Send("DELETE", one, ""), 404, `{"message":"404 Branch Not Found"}`)
	pushed := pushEvents(t, h, r.project)
	if last := pushed[len(pushed)-2:]; !slices.Equal(last, []string{"created feature/one", "removed feature/one"}) {
		t.Errorf("the last events are %v", last)
	}
}

// pushEvents returns the push events of a project as an action and a ref, oldest first.
func pushEvents(t *testing.T, h *harness.H, p model.Project) []string {
	t.Helper()
	events, err := h.Store.Pushes.Events(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range events {
		if e.Ref != nil {
			out = append(out, *e.PushAction+" "+*e.Ref)
		}
	}
	return out
}

// expectInvalidBranchesRefused tries to create branches that cannot be created next to feature/one.
func expectInvalidBranchesRefused(t *testing.T, c *harness.Caller) {
	t.Helper()
	for body, want := range map[string]string{
		`{"branch":"feature/one","ref":"main"}`: `{"message":"Branch already exists"}`,

		`{"branch":"feature","ref":"main"}`: `{"message":"Failed to create branch 'feature': the name conflicts with another branch"}`,

		`{"branch":"feature/one/two","ref":"main"}`: `{"message":"Failed to create branch 'feature/one/two': the ` +
			`name conflicts with another branch"}`,
		`{"branch":"x","ref":"none"}`:     `{"message":"Invalid reference name: none"}`,
		`{"branch":"x","ref":"-n"}`:       `{"message":"Invalid reference name: -n"}`,
		`{"branch":"x","ref":"main@{0}"}`: `{"message":"Invalid reference name: main@{0}"}`,
		`{"branch":"x"}`:                  `{"error":"ref is missing"}`,
		`{}`:                              `{"error":"branch is missing, ref is missing"}`,
	} {
		expect(t, c.JSON("POST", branchesPath, body), 400, want)
	}
	for _, name := range []string{
		"-x", "a..b", "a@{b", "a b", ".a", "a.lock", "a/", "/a", "a//b", `a\\b`, "HEAD", "a~1", "a:b", `a\nb`,
		strings.Repeat("a", 1100), strings.Repeat("0a", 20), strings.Repeat("Ab", 32),
	} {
		expect(t, c.JSON("POST", branchesPath, `{"branch":"`+name+`","ref":"main"}`), 400,
			`{"message":"Branch name is invalid"}`)
	}
	if got := c.JSON("POST", branchesPath, `{"branch":"a\u0000b","ref":"main"}`); got.Status != 400 {
		t.Errorf("NUL: %d %s", got.Status, got.Body)
	}
}

func TestTheAPIDoesNotWriteToProtectedBranches(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	developer, reporter := h.ProjectMember(r.project, model.Developer), h.ProjectMember(r.project, model.Reporter)
	const rules = "/projects/acme%2Fweb/protected_branches"
	expect(t, maintainer.JSON("POST", rules, `{"name":"open/*","push_access_level":40}`), 201, "")
	expect(t, developer.JSON("POST", branchesPath, `{"branch":"open/mine","ref":"main"}`), 403,
		`{"message":"403 Forbidden - You are not allowed to push code to protected branches on this project."}`)
	expect(t, maintainer.JSON("POST", branchesPath, `{"branch":"open/mine","ref":"main"}`), 201, "")
	expect(t, developer.Send("DELETE", branchesPath+"/open%2Fwork", ""), 403, "")
	expect(t, maintainer.Send("DELETE", branchesPath+"/open%2Fwork", ""), 403,
		`{"message":"403 Forbidden - You are not allowed to delete protected branches from this project."}`)
	expect(t, reporter.JSON("POST", branchesPath, `{"branch":"x","ref":"main"}`), 403, `{"message":"403 Forbidden"}`)
	if b := read[branch](t, developer.Send("GET", branchesPath+"/open%2Fwork", ""), 200); !b.Protected || b.CanPush || b.DevelopersPush {
		t.Errorf("%+v", b)
	}
	expect(t, maintainer.JSON("PATCH", rules+"/open%2F*", `{"push_access_level":30}`), 200, "")
	if b := read[branch](t, developer.Send("GET", branchesPath+"/open%2Fwork", ""), 200); !b.Protected || !b.CanPush || !b.DevelopersPush {
		t.Errorf("%+v", b)
	}
	if b := read[branch](t, reporter.Send("GET", branchesPath+"/topic", ""), 200); b.CanPush {
		t.Errorf("a reporter may push: %+v", b)
	}
}

func TestMergedBranchesAreDeletedInTheBackground(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r, maintainer := pushedHistory(t, h, model.Private)
	r.push(h, maintainer, "main~3:refs/heads/keep", "main:refs/heads/same")
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/protected_branches", `{"name":"keep"}`), 201, "")
	developer := h.ProjectMember(r.project, model.Developer)
	expect(t, developer.Send("DELETE", "/projects/acme%2Fweb/repository/merged_branches", ""), 202, `{"message":"202 Accepted"}`)
	wait.Until(t, "the merged branch is deleted", func() bool {
		return developer.Send("GET", branchesPath+"/topic", "").Status == 404
	})
	left := branchNames(read[[]branch](t, developer.Send("GET", branchesPath, ""), 200))
	if !slices.Equal(left, []string{"keep", "main", "open/work", "same"}) {
		t.Errorf("left %v", left)
	}
}

// Many merged branches are deleted in one update, and each gets its own event. Callers who may not push delete nothing.
func TestManyMergedBranchesAreDeletedEachWithItsEvent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	r, maintainer := pushedHistory(t, h, model.Private)
	var refs, merged []string
	for i := range 40 {
		name := fmt.Sprintf("done/b%02d", i)
		merged, refs = append(merged, name), append(refs, fmt.Sprintf("main~%d:refs/heads/%s", 1+i%4, name))
	}
	r.push(h, maintainer, append(refs, "main~3:refs/heads/keep/one", "main:refs/heads/same")...)
	expect(t, maintainer.JSON("POST", "/projects/acme%2Fweb/protected_branches", `{"name":"keep/*"}`), 201, "")
	const path = "/projects/acme%2Fweb/repository/merged_branches"
	for role, want := range map[model.Access]int{model.Guest: 403, model.Reporter: 403} {
		expect(t, h.ProjectMember(r.project, role).Send("DELETE", path, ""), want, "")
	}
	expect(t, h.NewUser().Send("DELETE", path, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().Send("DELETE", path, ""), 401, "")
	developer := h.ProjectMember(r.project, model.Developer)
	for range 2 { // the second request finds nothing to delete
		expect(t, developer.Send("DELETE", path, ""), 202, `{"message":"202 Accepted"}`)
	}
	merged = append(merged, "topic")
	var removed []string
	wait.Until(t, "every merged branch has an event", func() bool {
		removed = nil
		for _, event := range pushEvents(t, h, r.project) {
			if name, ok := strings.CutPrefix(event, "removed "); ok {
				removed = append(removed, name)
			}
		}
		return len(removed) >= len(merged)
	})
	slices.Sort(removed)
	if !slices.Equal(removed, merged) {
		t.Errorf("removed %v, want %v", removed, merged)
	}
	left := branchNames(read[[]branch](t, developer.Send("GET", branchesPath, ""), 200))
	if !slices.Equal(left, []string{"keep/one", "main", "open/work", "same"}) {
		t.Errorf("left %v", left)
	}
}

func TestAnEmptyRepositoryHasNoBranchesAndTags(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	developer := h.ProjectMember(p, model.Developer)
	expect(t, developer.Send("GET", branchesPath, ""), 200, "[]")
	expect(t, developer.Send("GET", tagsPath, ""), 200, "[]")
	expect(t, developer.Send("GET", branchesPath+"/main", ""), 404, `{"message":"404 Branch Not Found"}`)
	expect(t, developer.JSON("POST", branchesPath, `{"branch":"x","ref":"other"}`), 400, `{"message":"Invalid reference name: other"}`)
	expect(t, developer.JSON("POST", tagsPath, `{"tag_name":"x","ref":"HEAD"}`), 400, `{"message":"Target HEAD is invalid"}`)
}

func TestTheFirstBranchOfAnEmptyRepositoryCreatesItsDefaultBranch(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	// The default branch of a new repository is protected.
	for name, role := range map[string]model.Access{
		"guest": model.Guest, "reporter": model.Reporter, "developer": model.Developer,
	} {
		got, list, _, _ := createFirstBranch(t, h, group, role)
		if got.Status != 403 || list.Body != "[]" {
			t.Errorf("%s: %d %s, branches %s", name, got.Status, got.Body, list.Body)
		}
	}
	got, list, maintainer, path := createFirstBranch(t, h, group, model.Maintainer)
	if got.Status != 201 || !strings.Contains(got.Body, `"name":"topic"`) ||
		!strings.Contains(list.Body, `"name":"main"`) || !strings.Contains(list.Body, `"name":"topic"`) {
		t.Errorf("maintainer: %d %s, branches %s", got.Status, got.Body, list.Body)
	}
	expect(t, maintainer.Send("GET", path+"files/README.md/raw?ref=topic", ""), 200, "")
	if got := maintainer.Send("GET", path+"branches/main", ""); !strings.Contains(got.Body, `"protected":true`) ||
		!strings.Contains(got.Body, `"default":true`) {
		t.Errorf("the default branch is %s", got.Body)
	}
	stranger, p := h.NewUser(), h.Project(group.ID)
	expect(t, stranger.JSON("POST", fmt.Sprintf("/projects/%d/repository/branches", p.ID), `{"branch":"x","ref":"main"}`),
		404, `{"message":"404 Project Not Found"}`)
	first := h.Root().JSON("POST", fmt.Sprintf("/projects/%d/repository/branches", p.ID), `{"branch":"main","ref":"main"}`)
	if first.Status != 201 || !strings.Contains(first.Body, `"title":"Add README.md"`) {
		t.Errorf("the default branch itself: %d %s", first.Status, first.Body)
	}
}

// createFirstBranch makes an empty project with a member, who tries to create branches from refs that do not exist and
// then the branch topic. It returns the last answer, the list of branches after it, the member and the path of the
// repository.
func createFirstBranch(
	t *testing.T, h *harness.H, group model.Namespace, role model.Access,
) (got, list harness.Answer, caller *harness.Caller, path string) {
	t.Helper()
	p := h.Project(group.ID)
	caller, path = h.ProjectMember(p, role), fmt.Sprintf("/projects/%d/repository/", p.ID)
	for _, ref := range []string{"none", strings.Repeat("0a", 20)} {
		got := caller.JSON("POST", path+"branches", `{"branch":"x","ref":"`+ref+`"}`)
		if got.Status < 400 || got.Status >= 500 {
			t.Errorf("role %d, %s: %d %s", role, ref, got.Status, got.Body)
		}
	}
	got = caller.JSON("POST", path+"branches", `{"branch":"topic","ref":"main"}`)
	return got, h.Root().Send("GET", path+"branches", ""), caller, path
}
