package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// everyRole lists the callers in judged.txt, from the fewest permissions to the most. Guest to owner have their role in
// the group of the project.
var everyRole = []string{"anonymous", "outsider", "external", "guest", "reporter", "developer", "maintainer", "owner", "admin"}

var rolesInGroup = map[string]model.Access{
	"guest": model.Guest, "reporter": model.Reporter, "developer": model.Developer, "maintainer": model.Maintainer, "owner": model.Owner,
}

// judgedLine is a line of judged.txt: the statuses that an operation gives each role, and further tests of the
// operation.
type judgedLine struct {
	statuses []string
	tests    []string
}

const judgedFile = "judged.txt"

func writes() bool { return os.Getenv("SVC_GOLDEN") == "write" }

func readJudged(t *testing.T) map[string]judgedLine {
	t.Helper()
	text, err := os.ReadFile(judgedFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]judgedLine{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if len(words) < 1+len(everyRole) {
			t.Fatalf("%s: %q has no answer for every role", judgedFile, line)
		}
		if _, twice := lines[words[0]]; twice {
			t.Errorf("%s: %s stands there twice", judgedFile, words[0])
		}
		lines[words[0]] = judgedLine{words[1 : 1+len(everyRole)], words[1+len(everyRole):]}
	}
	return lines
}

// roleFixture is a public project in a public group, with the things that an operation needs. Its author has none of the
// roles in the list.
type roleFixture struct {
	t       *testing.T
	h       *harness.H
	author  *harness.Caller
	group   model.Namespace
	project model.Project
	values  map[string]string // values of the path parameters
}

func newRoleFixture(t *testing.T, h *harness.H, people map[string]*harness.Caller, r harness.Route) roleFixture {
	t.Helper()
	w := roleFixture{t: t, h: h, author: h.NewUser(), values: map[string]string{}}
	w.group = h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	w.project = h.Project(w.group.ID, func(p *model.Project) { p.Visibility = model.Public })
	h.Join(w.group, w.author.User, model.Owner)
	for role, level := range rolesInGroup {
		h.Join(w.group, people[role].User, level)
	}
	if strings.Contains(r.Path, "/repository/") || strings.Contains(r.Path, "/ci/lint") || strings.Contains(r.Path, "/releases") {
		w.commit()
	}
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			w.values[name] = w.make(name, r.Path)
		}
	}
	return w
}

// path returns the operation's URL in this world. Parameters without a value here have the example of the document.
func (w roleFixture) path(r harness.Route) string {
	path := r.Base + r.Path
	for name, value := range w.values {
		if value != "" {
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(value))
		}
	}
	whole := r
	whole.Base, whole.Path = "", path
	return example(w.t, whole)
}

// post creates something as the author and returns its id.
func (w roleFixture) post(path, body string) string {
	w.t.Helper()
	a := w.author.JSON("POST", path, body)
	var made struct{ ID, IID int64 }
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || a.Status != 201 {
		w.t.Fatalf("POST %s: %d %s", path, a.Status, a.Body)
	}
	return fmt.Sprint(made.ID)
}

// commit adds a commit on main and a tag to the repository.
func (w roleFixture) commit() {
	w.t.Helper()
	at := fmt.Sprintf("/projects/%d/repository", w.project.ID)
	a := w.author.JSON("POST", at+"/commits",
		`{"branch":"main","commit_message":"a","actions":[{"action":"create","file_path":".svc-ci.yml","content":"a: {script: b}"}]}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || a.Status != 201 {
		w.t.Fatalf("a commit: %d %s", a.Status, a.Body)
	}
	if a := w.author.JSON("POST", at+"/tags", `{"tag_name":"v1","ref":"main"}`); a.Status != 201 {
		w.t.Fatalf("a tag: %d %s", a.Status, a.Body)
	}
	w.values["commit"] = made.ID
}

// body returns the example body of the document with ids of this world.
func (w roleFixture) body(r harness.Route) string {
	w.t.Helper()
	text := body(w.t, r)
	for name, make := range map[string]func() string{
		`"user_id":42`:      func() string { return fmt.Sprintf(`"user_id":%d`, w.h.NewUser().User.ID) },
		`"to_project_id":5`: func() string { return fmt.Sprintf(`"to_project_id":%d`, w.h.Project(w.group.ID).ID) },
		`"runner_id":6`:     func() string { return `"runner_id":` + w.makeRunner(w.h.Project(w.group.ID)) },
	} {
		if before, after, found := strings.Cut(text, name); found {
			text = before + make() + after
		}
	}
	return text
}

// place returns the part of the path before a segment, in this world.
func (w roleFixture) place(path, before string) string {
	at, _, _ := strings.Cut(path, before)
	for name, value := range w.values {
		at = strings.ReplaceAll(at, "{"+name+"}", url.PathEscape(value))
	}
	return at
}

// make creates the thing that a path parameter names. It returns "" if the example of the document is good enough.
func (w roleFixture) make(name, path string) string {
	w.t.Helper()
	switch name {
	case "id":
		return w.makeFirst(strings.Split(path, "/")[1])
	case "issue_iid":
		return fmt.Sprint(storetest.Issue(w.t, w.h.Store, w.project, w.author.User).IID)
	case "epic_id", "epic_iid":
		return w.makeEpic(name)
	case "merge_request_iid":
		return fmt.Sprint(storetest.MergeRequest(w.t, w.h.Store, w.project, w.author.User).IID)
	case "note_id", "discussion_id":
		return w.makeNote(name, path)
	case "award_id":
		return w.post(w.place(path, "/{award_id}"), `{"name":"rocket"}`)
	case "job_id", "pipeline_id":
		made := w.h.Pipeline(w.project, w.author.User, []syntax.Job{{Name: "one", Stage: "build"}})
		return fmt.Sprint(map[string]int64{"job_id": made.Jobs[0].ID, "pipeline_id": made.Pipeline.ID}[name])
	case "snippet_id":
		return w.post(w.place(path, "/{snippet_id}"), `{"title":"a","visibility":"public","files":[{"file_path":"a","content":"b"}]}`)
	case "pipeline_schedule_id":
		return w.makeSchedule()
	case "trigger_id", "badge_id", "milestone_id", "environment_id":
		return w.post(w.place(path, "/{"+name+"}"), map[string]string{
			"trigger_id":     `{"description":"a"}`,
			"badge_id":       `{"link_url":"https://example.com","image_url":"https://example.com/a.svg"}`,
			"milestone_id":   `{"title":"a"}`,
			"environment_id": `{"name":"a"}`,
		}[name])
	case "deployment_id":
		w.commit()
		return w.post(fmt.Sprintf("/projects/%d/deployments", w.project.ID),
			`{"environment":"production","sha":"main","ref":"main","tag":false,"status":"success"}`)
	case "draft_note_id":
		return w.post(w.place(path, "/{draft_note_id}"), `{"note":"a"}`)
	case "event_id":
		return w.makeResourceEvent(path)
	case "user_id":
		return w.makeUser(path)
	case "package_id":
		return w.makePackage("id")
	case "package_file_id":
		return w.makePackage("file_id")
	case "sha":
		return w.values["commit"]
	case "tag_name":
		if strings.Contains(path, "/releases/") {
			w.post(w.place(path, "/{tag_name}"), `{"tag_name":"v1"}`)
		}
		return "v1"
	case "forked_from_id":
		return fmt.Sprint(w.h.Project(w.group.ID, func(p *model.Project) { p.Visibility = model.Public }).ID)
	}
	return map[string]string{"branch": "main", "ref": "main", "file_path": "a"}[name]
}

// makeEpic creates an epic of the group, and returns its id or its number.
func (w roleFixture) makeEpic(name string) string {
	w.t.Helper()
	id := w.post(fmt.Sprintf("/groups/%d/epics", w.group.ID), `{"title":"a"}`)
	if name == "epic_iid" {
		return "1"
	}
	return id
}

// makePackage creates a package with a file, and returns the id of one of them.
func (w roleFixture) makePackage(which string) string {
	w.t.Helper()
	path := fmt.Sprintf("/projects/%d/packages/generic/tools/1.0/a?select=package_file", w.project.ID)
	a := w.author.Send("PUT", path, "content")
	var made struct {
		ID        int64 `json:"id"`
		PackageID int64 `json:"package_id"`
	}
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || a.Status != 200 {
		w.t.Fatalf("a package: %d %s", a.Status, a.Body)
	}
	if which == "file_id" {
		return fmt.Sprint(made.ID)
	}
	return fmt.Sprint(made.PackageID)
}

// makeSchedule creates a pipeline schedule of the author.
func (w roleFixture) makeSchedule() string {
	w.t.Helper()
	s := model.PipelineSchedule{
		ProjectID:    w.project.ID,
		OwnerID:      &w.author.User.ID,
		Description:  "a",
		Ref:          "main",
		Cron:         "0 1 * * *",
		CronTimezone: "UTC",
	}
	if err := w.h.Store.PipelineSchedules.Create(w.t.Context(), &s, 10); err != nil {
		w.t.Fatal(err)
	}
	return fmt.Sprint(s.ID)
}

func (w roleFixture) makeFirst(kind string) string {
	w.t.Helper()
	switch kind {
	case "projects":
		return w.project.FullPath
	case "groups":
		return w.group.FullPath
	case "users":
		return fmt.Sprint(w.author.User.ID)
	case "snippets":
		return w.post("/snippets", `{"title":"a","visibility":"public","files":[{"file_path":"a","content":"b"}]}`)
	case "runners":
		return w.makeRunner(w.project)
	case "personal_access_tokens":
		storetest.Token(w.t, w.h.Store, w.author.User, "api")
		var rows []struct{ ID int64 }
		a := w.h.Root().Send("GET", fmt.Sprintf("/personal_access_tokens?user_id=%d", w.author.User.ID), "")
		if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || len(rows) != 2 {
			w.t.Fatalf("tokens: %d %s", a.Status, a.Body)
		}
		return fmt.Sprint(max(rows[0].ID, rows[1].ID))
	}
	return ""
}

func (w roleFixture) makeRunner(p model.Project) string {
	w.t.Helper()
	r := model.Runner{RunnerType: model.ProjectRunner, Digest: p.FullPath, AccessLevel: "not_protected", Tags: "[]", RunUntagged: true}
	if err := w.h.Store.Runners.Create(w.t.Context(), &r, p.ID); err != nil {
		w.t.Fatal(err)
	}
	return fmt.Sprint(r.ID)
}

// makeNote makes a note on the issue, merge request, commit or snippet in the path.
func (w roleFixture) makeNote(name, path string) string {
	w.t.Helper()
	kind := "issues"
	switch {
	case strings.Contains(path, "merge_requests"):
		kind = "merge_requests"
	case strings.Contains(path, "commits"):
		kind = "repository/commits"
	case strings.Contains(path, "snippets"):
		kind = "snippets"
	}
	on := w.values["issue_iid"] + w.values["merge_request_iid"] + w.values["sha"] + w.values["snippet_id"]
	if id := w.values["thread's note"]; id != "" {
		return id
	}
	place := fmt.Sprintf("/projects/%d/%s/%s", w.project.ID, kind, on)
	if epic := w.values["epic_id"]; epic != "" {
		place = fmt.Sprintf("/groups/%d/epics/%s", w.group.ID, epic)
	}
	a := w.author.JSON("POST", place+"/discussions", `{"body":"hello"}`)
	var made struct {
		ID    string
		Notes []struct{ ID int64 }
	}
	if err := json.Unmarshal([]byte(a.Body), &made); err != nil || len(made.Notes) != 1 {
		w.t.Fatalf("a discussion: %d %s", a.Status, a.Body)
	}
	w.values["thread's note"] = fmt.Sprint(made.Notes[0].ID)
	if name == "discussion_id" {
		return made.ID
	}
	return w.values["thread's note"]
}

// makeUser makes the user that a path names: a member, a user who requests access, or any user.
func (w roleFixture) makeUser(path string) string {
	w.t.Helper()
	c := w.h.NewUser()
	switch {
	case strings.HasPrefix(path, "/groups") && strings.Contains(path, "/members"):
		w.h.Join(w.group, c.User, model.Guest)
	case strings.Contains(path, "/members"):
		w.h.JoinProject(w.project, c.User, model.Guest)
	case strings.Contains(path, "/access_requests"):
		if a := c.JSON("POST", w.place(path, "/{user_id}"), ""); a.Status != 201 {
			w.t.Fatalf("a request for access: %d %s", a.Status, a.Body)
		}
	}
	return fmt.Sprint(c.User.ID)
}

// Every operation that checks permissions in code is called as every role, with the example of the document.
// SVC_GOLDEN=write writes the statuses to judged.txt: review the difference like code.
func TestOperationsWithPermissionsInCodeAsEveryRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	people := map[string]*harness.Caller{
		"anonymous": h.Anonymous(), "outsider": h.NewUser(), "external": h.NewUser(harness.External), "admin": h.Root(),
	}
	for role := range rolesInGroup {
		people[role] = h.NewUser()
	}
	listed := readJudged(t)
	if writes() {
		kept := map[string]judgedLine{}
		for name := range judgedInCode(t) {
			kept[name] = judgedLine{nil, listed[name].tests}
		}
		listed = kept
	}
	var mu sync.Mutex
	got := map[string]judgedLine{}
	t.Run("operations", func(t *testing.T) {
		for _, r := range harness.Routes() {
			line, ok := listed[r.Op.OperationID]
			if !ok {
				continue
			}
			t.Run(r.Op.OperationID, func(t *testing.T) {
				t.Parallel()
				statuses := tryAsEveryRole(t, h, people, r)
				if want := strings.Join(line.statuses, " "); !writes() && strings.Join(statuses, " ") != want {
					t.Errorf("%s answers\n%s, want\n%s\n(%s)", r.Op.OperationID, strings.Join(statuses, " "), want,
						strings.Join(everyRole, ", "))
				}
				mu.Lock()
				defer mu.Unlock()
				got[r.Op.OperationID] = judgedLine{statuses, line.tests}
			})
		}
	})
	if writes() {
		writeJudged(t, got)
	}
}

// tryAsEveryRole calls an operation as every role. Before each call it makes the things again that the last call may
// have changed.
func tryAsEveryRole(t *testing.T, h *harness.H, people map[string]*harness.Caller, r harness.Route) []string {
	t.Helper()
	var statuses []string
	w := newRoleFixture(t, h, people, r)
	for _, role := range everyRole {
		a := people[role].JSON(r.Method, w.path(r), w.body(r))
		if a.Status >= 500 {
			t.Errorf("%s as %s: %d %s", r.Op.OperationID, role, a.Status, a.Body)
		}
		statuses = append(statuses, fmt.Sprint(a.Status))
		if a.Status < 300 && r.Method != "GET" {
			w = newRoleFixture(t, h, people, r)
		}
	}
	return statuses
}

func writeJudged(t *testing.T, lines map[string]judgedLine) {
	t.Helper()
	var text strings.Builder
	text.WriteString("# Operations whose permission is judged by code beside the tables of abilities, and the answers to " +
		strings.Join(everyRole, ", ") +
		"\n# in a public project. Further words name tests that try more of it.\n")
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintln(&text, strings.Join(slices.Concat([]string{name}, lines[name].statuses, lines[name].tests), " "))
	}
	if err := os.WriteFile(judgedFile, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}
