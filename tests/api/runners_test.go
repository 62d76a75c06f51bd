package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

type runnerRow struct {
	ID          int64    `json:"id"`
	Description *string  `json:"description"`
	Paused      bool     `json:"paused"`
	Status      string   `json:"status"`
	TagList     []string `json:"tag_list"`
	Note        *string  `json:"maintenance_note"`
	Projects    []struct{ ID int64 }
	Groups      []struct{ ID int64 }
}

// madeRunner creates a runner and returns its id and token.
func madeRunner(t *testing.T, h *harness.H, body string) (int64, string) {
	t.Helper()
	var row struct {
		ID    int64
		Token string
	}
	created := h.Root().JSON("POST", "/user/runners", body)
	if created.Status != 201 {
		t.Fatal(created)
	}
	decode(t, created, &row)
	return row.ID, row.Token
}

func ids(t *testing.T, a harness.Answer) string {
	t.Helper()
	if a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	var rows []runnerRow
	decode(t, a, &rows)
	var out []string
	for _, row := range rows {
		out = append(out, fmt.Sprint(row.ID))
	}
	return strings.Join(out, " ")
}

func TestRunnersAreListedForUsersWhoManageThem(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	group := h.Group()
	p, grouped := h.Project(*owner.User.NamespaceID), h.Project(group.ID)
	shared, token := madeRunner(t, h, `{"runner_type":"instance_type","tag_list":["linux","a_b"]}`)
	ofGroup, _ := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"group_type","group_id":%d}`, group.ID))
	ofProject, _ := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"paused":true}`, p.ID))
	maintainer, groupOwner := h.ProjectMember(p, model.Maintainer), h.Member(group, model.Owner)
	h.Anonymous().JSON("POST", "/runners/verify", fmt.Sprintf(`{"token":%q,"info":{"version":"19.4.0"}}`, token))

	for _, c := range []struct {
		caller *harness.Caller
		path   string
		want   string
	}{
		{h.Root(), "/runners/all", fmt.Sprint(ofProject, ofGroup, shared)},
		{h.Root(), "/runners/all?type=group_type", fmt.Sprint(ofGroup)},
		{h.Root(), "/runners/all?scope=shared", fmt.Sprint(shared)},
		{h.Root(), "/runners/all?scope=paused", fmt.Sprint(ofProject)},
		{h.Root(), "/runners/all?paused=false", fmt.Sprint(ofGroup, shared)},
		{h.Root(), "/runners/all?status=online", fmt.Sprint(shared)},
		{h.Root(), "/runners/all?status=never_contacted", fmt.Sprint(ofProject, ofGroup)},
		{h.Root(), "/runners/all?status=not_connected", fmt.Sprint(ofProject, ofGroup)},
		{h.Root(), "/runners/all?scope=not_connected", fmt.Sprint(ofProject, ofGroup)},
		{h.Root(), "/runners/all?status=paused", fmt.Sprint(ofProject)},
		{h.Root(), "/runners/all?status=active", fmt.Sprint(ofGroup, shared)},
		{h.Root(), "/runners/all?tag_list=linux,a_b", fmt.Sprint(shared)},
		{h.Root(), "/runners/all?tag_list=aXb", ""},
		{h.Root(), "/runners/all?version_prefix=19.", fmt.Sprint(shared)},
		{h.Root(), "/runners/all?version_prefix=1_.", ""},
		{owner, "/runners", fmt.Sprint(ofProject)},
		{maintainer, "/runners", fmt.Sprint(ofProject)},
		{groupOwner, "/runners", fmt.Sprint(ofGroup)},
		{h.NewUser(), "/runners", ""},
		{maintainer, fmt.Sprintf("/projects/%d/runners", p.ID), fmt.Sprint(ofProject, shared)},
		{groupOwner, fmt.Sprintf("/projects/%d/runners", grouped.ID), fmt.Sprint(ofGroup, shared)},
		{groupOwner, fmt.Sprintf("/groups/%d/runners", group.ID), fmt.Sprint(ofGroup)},
	} {
		want := strings.Join(strings.Fields(c.want), " ")
		if got := ids(t, c.caller.Send("GET", c.path, "")); got != want {
			t.Errorf("%s: %q, want %q", c.path, got, want)
		}
	}
	if a := h.Root().Send("GET", "/runners/all?scope=odd", ""); a.Status != 400 {
		t.Errorf("a bad scope: %d", a.Status)
	}
	if a := owner.Send("GET", "/runners/all", ""); a.Status != 403 {
		t.Errorf("all, for a user: %d", a.Status)
	}
}

// managedRunner is a runner of a project, whose owner also has a second project.
type managedRunner struct {
	h          *harness.H
	owner      *harness.Caller
	p, second  model.Project
	id, shared int64 // shared is a runner of the instance
	token      string
	path       string
}

func TestARunnerIsShownChangedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	m := managedRunner{h: h, owner: owner}
	m.p, m.second = h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	m.id, m.token = madeRunner(t, h,
		fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"maintenance_note":"mine"}`, m.p.ID))
	m.shared, _ = madeRunner(t, h, `{"runner_type":"instance_type","maintenance_note":"secret"}`)
	m.path = fmt.Sprintf("/runners/%d", m.id)
	m.isShown(t)
	m.isChanged(t)
	m.getsANewToken(t)
	m.isAssignedAndRemoved(t)
}

func (m managedRunner) isShown(t *testing.T) {
	t.Helper()
	if row := read[runnerRow](t, m.owner.Send("GET", m.path, ""), 200); len(row.Projects) != 1 ||
		row.Projects[0].ID != m.p.ID || row.Note == nil || row.Status != "never_contacted" {
		t.Errorf("%+v", row)
	}
	const no = `{"message":"403 Forbidden - No access granted"}`
	stranger := m.h.NewUser()
	expect(t, stranger.Send("GET", m.path, ""), 403, no)
	if row := read[runnerRow](t, stranger.Send("GET", fmt.Sprintf("/runners/%d", m.shared), ""), 200); row.Note != nil {
		t.Error("a stranger reads the note")
	}
	expect(t, stranger.JSON("PUT", fmt.Sprintf("/runners/%d", m.shared), `{"paused":true}`), 403, no)
	expect(t, stranger.Send("GET", "/runners/987654", ""), 404, "")
}

func (m managedRunner) isChanged(t *testing.T) {
	t.Helper()
	changed := m.owner.JSON("PUT", m.path, `{"description":"new","active":false,"tag_list":["b","a","b"],`+
		`"maximum_timeout":900,"access_level":"ref_protected"}`)
	for _, a := range []harness.Answer{changed, m.owner.Send("GET", m.path, "")} {
		if row := read[runnerRow](t, a, 200); *row.Description != "new" || !row.Paused ||
			strings.Join(row.TagList, " ") != "a b" {
			t.Errorf("%+v", row)
		}
	}
	for _, body := range []string{`{}`, `{"tag_list":[],"run_untagged":false}`, `{"maximum_timeout":5}`} {
		if a := m.owner.JSON("PUT", m.path, body); a.Status != 400 {
			t.Errorf("%s: %d", body, a.Status)
		}
	}
}

func (m managedRunner) getsANewToken(t *testing.T) {
	t.Helper()
	fresh := read[struct{ Token string }](t, m.owner.Send("POST", m.path+"/reset_authentication_token", ""), 201)
	expect(t, m.h.Anonymous().JSON("POST", "/runners/verify", `{"token":"`+m.token+`"}`), 403, "")
	m.h.Anonymous().JSON("POST", "/runners/verify", `{"token":"`+fresh.Token+`","system_id":"s_1"}`)
	if a := m.owner.Send("GET", m.path+"/managers", ""); a.Status != 200 ||
		!strings.Contains(a.Body, `"system_id":"s_1"`) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}

func (m managedRunner) isAssignedAndRemoved(t *testing.T) {
	t.Helper()
	assign, runner := fmt.Sprintf("/projects/%d/runners", m.second.ID), fmt.Sprintf(`{"runner_id":%d}`, m.id)
	expect(t, m.owner.JSON("POST", assign, runner), 201, "")
	expect(t, m.owner.JSON("POST", assign, fmt.Sprintf(`{"runner_id":%d}`, m.shared)), 403, "")
	expect(t, m.owner.Send("DELETE", m.path, ""), 403,
		`{"message":"403 Forbidden - Runner associated with more than one project"}`)
	expect(t, m.owner.Send("DELETE", fmt.Sprintf("%s/%d", assign, m.id), ""), 204, "")
	expect(t, m.owner.Send("DELETE", fmt.Sprintf("/projects/%d/runners/%d", m.p.ID, m.id), ""), 403,
		`{"message":"403 Forbidden - Only one project associated with the runner. Please remove the runner instead"}`)
	expect(t, m.owner.JSON("PUT", m.path, `{"locked":true}`), 200, "")
	expect(t, m.owner.JSON("POST", assign, runner), 403, `{"message":"403 Forbidden - Runner is locked"}`)
	expect(t, m.owner.Send("DELETE", m.path, ""), 204, "")
	expect(t, m.owner.Send("GET", m.path, ""), 404, "")
}

func TestTheJobsOfARunnerAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0), aJob("two", 0)})
	id, token := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, p.ID))
	m := &fakeRunner{t: t, h: h, token: token}
	one := m.job()
	m.job()
	expect(t, m.update(one, "success", ""), 200, "200")
	path := fmt.Sprintf("/runners/%d/jobs", id)
	for query, want := range map[string]string{
		"": "two=running one=success", "?status=running": "two=running",
		"?system_id=s_1&status=success": "one=success", "?system_id=other": "",
	} {
		a := owner.Send("GET", path+query, "")
		var rows []job
		decode(t, a, &rows)
		if got := jobNames(rows); a.Status != 200 || got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestRegistrationTokensRegisterRunners(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	p := h.Project(group.ID)
	root := h.Root()
	for path, kind := range map[string]string{
		"/runners/reset_registration_token":                                  "instance_type",
		fmt.Sprintf("/groups/%d/runners/reset_registration_token", group.ID): "group_type",
		fmt.Sprintf("/projects/%d/runners/reset_registration_token", p.ID):   "project_type",
	} {
		var old, fresh struct{ Token string }
		decode(t, root.Send("POST", path, ""), &old)
		reset := root.Send("POST", path, "")
		decode(t, reset, &fresh)
		if reset.Status != 201 || old.Token == fresh.Token {
			t.Errorf("%s: %d", path, reset.Status)
		}
		body := func(token string) string {
			return fmt.Sprintf(`{"token":%q,"description":"old way","tag_list":"b, a","run_untagged":true,"info":{"name":"gitlab-runner"}}`,
				token)
		}
		expect(t, h.Anonymous().JSON("POST", "/runners", body(old.Token)), 403, `{"message":"403 Forbidden - Invalid token"}`)
		made := h.Anonymous().JSON("POST", "/runners", body(fresh.Token))
		var row struct {
			ID    int64
			Token string
		}
		decode(t, made, &row)
		r, err := h.Store.Runners.Get(t.Context(), row.ID)
		if !strings.HasPrefix(row.Token, "glrtr-") {
			t.Errorf("%s: the token is %.8s…", path, row.Token)
		}
		if made.Status != 201 || err != nil || r.RunnerType != kind || r.Tags != `["a","b"]` || time.Since(r.CreatedAt) > time.Hour {
			t.Errorf("%s: %d, %+v, %v", path, made.Status, r, err)
		}
		if a := h.Anonymous().JSON("POST", "/runners/verify", `{"token":"`+row.Token+`"}`); a.Status != 200 {
			t.Errorf("its token: %d", a.Status)
		}
	}
	expect(t, h.Anonymous().JSON("POST", "/runners", `{"token":"wrong"}`), 403, `{"message":"403 Forbidden - Invalid token"}`)
}

func TestARunnerOfSeveralProjectsIsManagedByItsOwnerProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	first, second := h.Project(h.Group().ID), h.Project(h.Group().ID)
	mine := h.Project(h.Group().ID) // every user of the loop below becomes a maintainer
	id, _ := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"maintenance_note":"mine"}`, first.ID))
	path := fmt.Sprintf("/runners/%d", id)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/projects/%d/runners", second.ID), fmt.Sprintf(`{"runner_id":%d}`, id)), 201, "")
	ofFirst, ofSecond := newCallersByRole(h, first), newCallersByRole(h, second)
	both := callersByRole{"maintainer": h.ProjectMember(first, model.Maintainer)}
	h.JoinProject(second, both["maintainer"].User, model.Maintainer)
	for _, c := range []callersByRole{ofFirst, ofSecond} {
		for _, role := range everyRole[1:8] {
			h.JoinProject(mine, c[role].User, model.Maintainer)
		}
	}
	calls := managingCalls(h, id, second, mine)
	for _, c := range []struct{ what, first, second string }{
		{"reset", "401 403 403 403 403 403 201 201 201", "401 403 403 403 403 403 403 403 201"},
		{"update", "401 403 403 403 403 403 200 200 200", "401 403 403 403 403 403 403 403 200"},
		{"delete", "401 403 403 403 403 403 403 403 403", "401 403 403 403 403 403 403 403 403"},
		{"assign", "401 403 403 403 403 403 201 201 201", "401 403 403 403 403 403 403 403 201"},
		{"show", "401 403 403 403 403 403 200 200 200", "401 403 403 403 403 403 200 200 200"},
		{"jobs", "401 403 403 403 403 403 200 200 200", "401 403 403 403 403 403 200 200 200"},
		{"managers", "401 403 403 403 403 403 200 200 200", "401 403 403 403 403 403 200 200 200"},
		{"unassign", "401 404 404 404 404 404 404 404 204", "401 404 404 403 403 403 204 204 204"},
	} {
		ofFirst.statuses(t, c.what+" in the owner project", c.first, calls[c.what])
		ofSecond.statuses(t, c.what+" in another project", c.second, calls[c.what])
	}
	if row := read[runnerRow](t, ofSecond["maintainer"].Send("GET", path, ""), 200); row.Note != nil ||
		len(row.Projects) != 1 || row.Projects[0].ID != second.ID {
		t.Errorf("another project's maintainer reads %+v", row)
	}
	if row := read[runnerRow](t, ofFirst["maintainer"].Send("GET", path, ""), 200); row.Note == nil ||
		len(row.Projects) != 1 || row.Projects[0].ID != first.ID {
		t.Errorf("the owner project's maintainer reads %+v", row)
	}
	expect(t, both["maintainer"].Send("POST", path+"/reset_authentication_token", ""), 201, "")
}

// managingCalls returns the calls that manage a runner, by name. Each call that assigns the runner to mine, or removes
// it from second, is undone.
func managingCalls(h *harness.H, id int64, second, mine model.Project) map[string]func(*harness.Caller) harness.Answer {
	path, runner := fmt.Sprintf("/runners/%d", id), fmt.Sprintf(`{"runner_id":%d}`, id)
	toSecond, toMine := fmt.Sprintf("/projects/%d/runners", second.ID), fmt.Sprintf("/projects/%d/runners", mine.ID)
	send := func(method, path string) func(*harness.Caller) harness.Answer {
		return func(c *harness.Caller) harness.Answer { return c.Send(method, path, "") }
	}
	return map[string]func(*harness.Caller) harness.Answer{
		"reset":  send("POST", path+"/reset_authentication_token"),
		"update": func(c *harness.Caller) harness.Answer { return c.JSON("PUT", path, `{"description":"changed"}`) },
		"delete": send("DELETE", path),
		"assign": func(c *harness.Caller) harness.Answer {
			defer h.Root().Send("DELETE", fmt.Sprintf("%s/%d", toMine, id), "")
			return c.JSON("POST", toMine, runner)
		},
		"show":     send("GET", path),
		"jobs":     send("GET", path+"/jobs"),
		"managers": send("GET", path+"/managers"),
		"unassign": func(c *harness.Caller) harness.Answer {
			defer h.Root().JSON("POST", toSecond, runner)
			return c.Send("DELETE", fmt.Sprintf("%s/%d", toSecond, id), "")
		},
	}
}

func TestMaintainersOfAllProjectsOfARunnerManageIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	maintainer := h.Member(group, model.Maintainer)
	first, second := h.Project(group.ID), h.Project(group.ID)
	id, _ := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, first.ID))
	expect(t, maintainer.JSON("POST", fmt.Sprintf("/projects/%d/runners", second.ID), fmt.Sprintf(`{"runner_id":%d}`, id)), 201, "")
	expect(t, maintainer.JSON("PUT", fmt.Sprintf("/runners/%d", id), `{"description":"changed"}`), 200, "")
	lone, _ := madeRunner(t, h, fmt.Sprintf(`{"runner_type":"group_type","group_id":%d}`, group.ID))
	path := fmt.Sprintf("/runners/%d", lone)
	owner := h.Member(group, model.Owner)
	expect(t, maintainer.Send("GET", path, ""), 403, "")
	expect(t, maintainer.Send("POST", path+"/reset_authentication_token", ""), 403, "")
	expect(t, owner.Send("POST", path+"/reset_authentication_token", ""), 201, "")
}

func TestAPausedRunnerIsShownAsPaused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	id, token := madeRunner(t, h, `{"runner_type":"instance_type"}`)
	path := fmt.Sprintf("/runners/%d", id)
	h.Anonymous().JSON("POST", "/runners/verify", fmt.Sprintf(`{"token":%q}`, token))
	status := func(body, want string) {
		t.Helper()
		if row := read[runnerRow](t, h.Root().JSON("PUT", path, body), 200); row.Status != want {
			t.Errorf("%s: it is %s, not %s", body, row.Status, want)
		}
		if rows := read[[]runnerRow](t, h.Root().Send("GET", "/runners/all", ""), 200); len(rows) != 1 || rows[0].Status != want {
			t.Errorf("%s: listed as %+v, not %s", body, rows, want)
		}
	}
	status(`{"paused":true}`, "paused")
	status(`{"paused":false}`, "online")
	status(`{"active":false}`, "paused")
	status(`{"active":true}`, "online")
	const both = `{"error":"active, paused are mutually exclusive"}`
	expect(t, h.Root().JSON("PUT", path, `{"active":true,"paused":false}`), 400, both)
	reset := read[struct{ Token string }](t, h.Root().Send("POST", "/runners/reset_registration_token", ""), 201)
	expect(t, h.Anonymous().JSON("POST", "/runners", fmt.Sprintf(`{"token":%q,"active":true,"paused":false}`, reset.Token)), 400, both)
}
