package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// eventRow is an event in a response.
type eventRow struct {
	ID          int64     `json:"id"`
	ProjectID   int64     `json:"project_id"`
	ActionName  string    `json:"action_name"`
	TargetType  *string   `json:"target_type"`
	TargetIID   *int64    `json:"target_iid"`
	TargetTitle *string   `json:"target_title"`
	AuthorID    int64     `json:"author_id"`
	CreatedAt   time.Time `json:"created_at"`
	PushData    *struct {
		Action  string  `json:"action"`
		RefType string  `json:"ref_type"`
		Ref     *string `json:"ref"`
	} `json:"push_data"`
	Note *struct {
		Body        string `json:"body"`
		NoteableIID *int64 `json:"noteable_iid"`
	} `json:"note"`
}

// eventNames returns the action name of each event with the title of its target.
func eventNames(t *testing.T, a harness.Answer) string {
	t.Helper()
	var out []string
	for _, e := range read[[]eventRow](t, a, 200) {
		text := e.ActionName
		if e.TargetTitle != nil {
			text += " " + *e.TargetTitle
		}
		if e.PushData != nil && e.PushData.Ref != nil {
			text += " " + *e.PushData.Ref
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// createEvent stores an event.
func createEvent(h *harness.H, p model.Project, e model.Event) {
	h.T.Helper()
	if err := h.Store.Events.Create(h.T.Context(), p, &e); err != nil {
		h.T.Fatal(err)
	}
}

func insert(h *harness.H, query string, args ...any) int64 {
	h.T.Helper()
	var id int64
	if h.Store.Postgres() {
		for i := 1; strings.Contains(query, "?"); i++ {
			query = strings.Replace(query, "?", fmt.Sprintf("$%d", i), 1)
		}
	}
	if err := h.Store.SQL().QueryRowContext(h.T.Context(), query+" RETURNING id", args...).Scan(&id); err != nil {
		h.T.Fatal(err)
	}
	return id
}

// anIssue and aNote insert rows like those that the issue and note operations write.
func anIssue(h *harness.H, p model.Project, author model.User, iid int64, title string, confidential bool) int64 {
	now := time.Now().UTC()
	return insert(h, "INSERT INTO issues (project_id, iid, author_id, title, state, issue_type, confidential, "+
		"severity, created_at, updated_at) VALUES (?, ?, ?, ?, 'opened', 'issue', ?, 'UNKNOWN', ?, ?)",
		p.ID, iid, author.ID, title, confidential, now, now)
}

func aNote(h *harness.H, p model.Project, author model.User, issue int64, body string, internal bool) int64 {
	now := time.Now().UTC()
	return insert(h, "INSERT INTO notes (project_id, noteable_type, noteable_id, discussion_id, author_id, body, "+
		"system, internal, resolvable, created_at, updated_at) VALUES (?, 'Issue', ?, 'd', ?, ?, false, ?, false, "+
		"?, ?)",
		p.ID, issue, author.ID, body, internal, now, now)
}

func on(u model.User, action, kind string, id int64) model.Event {
	return model.Event{AuthorID: u.ID, Action: action, TargetType: &kind, TargetID: &id}
}

func TestEventsOfAUserAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(named("carla"))
	made := read[map[string]any](t,
		owner.JSON("POST", "/projects", `{"name":"Web","visibility":"public","initialize_with_readme":true}`), 201)
	path := fmt.Sprintf("/projects/%v", made["id"])
	expect(t, owner.JSON("POST", path+"/repository/branches", `{"branch":"next","ref":"main"}`), 201, "")
	expect(t, owner.JSON("POST", path+"/repository/tags", `{"tag_name":"v1","ref":"main"}`), 201, "")
	expect(t, owner.JSON("POST", path+"/repository/files/a.txt", `{"branch":"next","content":"a","commit_message":"Add a"}`), 201, "")
	expect(t, owner.JSON("POST", path+"/repository/commits",
		`{"branch":"next","commit_message":"Add b","actions":[{"action":"create","file_path":"b","content":"b"}]}`), 201, "")
	expect(t, owner.Send("DELETE", path+"/repository/branches/next", ""), 204, "")
	expect(t, owner.Send("DELETE", path+"/repository/tags/v1", ""), 204, "")
	const all = "deleted v1, deleted next, pushed to next, pushed to next, pushed new v1, pushed new next, pushed new main, created"
	for _, list := range []string{"/events", "/users/carla/events", fmt.Sprintf("/users/%d/events", owner.User.ID), path + "/events"} {
		if got := eventNames(t, owner.Send("GET", list, "")); got != all {
			t.Errorf("%s: %s\nwant %s", list, got, all)
		}
	}
	if got := eventNames(t, h.Anonymous().Send("GET", "/users/carla/events", "")); got != all {
		t.Error(got)
	}
	for query, want := range map[string]string{
		"action=created": "created", "action=pushed&per_page=1": "deleted v1",
		"sort=asc&per_page=2": "created, pushed new main", "target_type=issue": "",
		"after=2020-01-01&before=2100-01-01&per_page=1&page=8": "created", "before=" + time.Now().UTC().Format(time.DateOnly): "",
		"after=" + time.Now().UTC().Format(time.DateOnly): "", "action=joined": "",
	} {
		for _, list := range []string{"/events", path + "/events"} {
			if got := eventNames(t, owner.Send("GET", list+"?"+query, "")); got != want {
				t.Errorf("%s?%s: %q, want %q", list, query, got, want)
			}
		}
	}
	answer := owner.Send("GET", "/events?per_page=3&page=2", "")
	if answer.Header.Get("X-Total") != "8" || answer.Header.Get("X-Next-Page") != "3" {
		t.Errorf("%v", answer.Header)
	}
	for query, want := range map[string]string{
		"action=slept":      `{"error":"action does not have a valid value"}`,
		"target_type=Issue": `{"error":"target_type does not have a valid value"}`,
		"sort=up":           `{"error":"sort does not have a valid value"}`, "before=yesterday": `{"error":"before is invalid"}`,
	} {
		expect(t, owner.Send("GET", "/events?"+query, ""), 400, want)
	}
	expect(t, h.Anonymous().Send("GET", "/events", ""), 401, "")
	expect(t, owner.Send("GET", "/users/nobody/events", ""), 404, `{"message":"404 User Not Found"}`)
	expect(t, owner.Send("GET", "/events?pagination=keyset", ""), 405, "")
	h.Golden("listEvents/created", owner.Send("GET", "/events?action=created", "").Body)
}

func TestAPrivateProfileHidesEvents(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(named("dora", func(u *model.User) { u.PrivateProfile = true }))
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	createEvent(h, p, model.Event{AuthorID: owner.User.ID, Action: model.EventCreated})
	for _, who := range []*harness.Caller{h.Anonymous(), h.NewUser()} {
		answer := who.Send("GET", "/users/dora/events", "")
		expect(t, answer, 200, "[]")
		if answer.Header.Get("X-Total") != "0" {
			t.Error(answer.Header)
		}
	}
	for _, who := range []*harness.Caller{owner, h.Root()} {
		if got := eventNames(t, who.Send("GET", "/users/dora/events", "")); got != "created" {
			t.Error(got)
		}
	}
}

// Each kind of caller sees different events of one user in a public project with a confidential issue and an internal
// note.
func TestEventsOfHiddenItemsAreLeftOut(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	author := h.NewUser(named("emil"))
	p := h.Project(h.Group(func(n *model.Namespace) { n.Visibility = model.Public }).ID, func(p *model.Project) {
		p.Visibility = model.Public
	})
	secret := h.Project(h.Group().ID)
	h.JoinProject(p, author.User, model.Developer)
	h.JoinProject(secret, author.User, model.Developer)
	guest, reporter, assignee, writer := h.ProjectMember(p, model.Guest), h.ProjectMember(p, model.Reporter), h.NewUser(), h.NewUser()
	plain, hidden := anIssue(h, p, author.User, 1, "plain", false), anIssue(h, p, writer.User, 2, "hidden", true)
	if _, err := h.Store.SQL().ExecContext(t.Context(),
		fmt.Sprintf("INSERT INTO issue_assignees (issue_id, user_id) VALUES (%d, %d)", hidden, assignee.User.ID)); err != nil {
		t.Fatal(err)
	}
	u := author.User
	createEvent(h, secret, model.Event{AuthorID: u.ID, Action: model.EventJoined})
	createEvent(h, p, on(u, model.EventCreated, model.OnIssue, plain))
	createEvent(h, p, on(u, model.EventClosed, model.OnIssue, hidden))
	createEvent(h, p, on(u, model.EventCommented, model.OnNote, aNote(h, p, u, plain, "open", false)))
	createEvent(h, p, on(u, model.EventCommented, model.OnNote, aNote(h, p, u, plain, "internal", true)))
	createEvent(h, p, on(u, model.EventCommented, model.OnNote, aNote(h, p, u, hidden, "on hidden", false)))
	push, branch := "pushed", "branch"
	createEvent(h, p, model.Event{AuthorID: u.ID, Action: model.EventPushed, PushAction: &push, RefType: &branch, Ref: &push})
	const few = "pushed to pushed, commented on plain, opened plain"
	const own = "pushed to pushed, commented on hidden, commented on plain, closed hidden, opened plain"
	const most = "pushed to pushed, commented on hidden, commented on plain, commented on plain, closed hidden, opened plain"
	check := func(what string, wants map[*harness.Caller]string) {
		t.Helper()
		for who, want := range wants {
			for _, list := range []string{"/users/emil/events", fmt.Sprintf("/projects/%d/events", p.ID)} {
				if who == author && !strings.HasPrefix(list, "/projects") {
					continue // the author sees the private project, too
				}
				answer := who.Send("GET", list, "")
				if got := eventNames(t, answer); got != want {
					t.Errorf("%s, %s as %s: %s\nwant %s", what, list, who.User.Username, got, want)
				}
				if n := 1 + strings.Count(want, ","); answer.Header.Get("X-Total") != fmt.Sprint(n) {
					t.Errorf("%s: the total is %s", what, answer.Header.Get("X-Total"))
				}
			}
		}
	}
	anonymous := h.Anonymous()
	check("public", map[*harness.Caller]string{anonymous: few, guest: few, assignee: own, writer: own, reporter: most, author: most})
	if got := eventNames(t, author.Send("GET", "/events", "")); got != most+", joined" {
		t.Error(got)
	}
	if got := eventNames(t, h.Root().Send("GET", "/users/emil/events", "")); got != most+", joined" {
		t.Error(got)
	}
	set := func(columns map[string]any) {
		t.Helper()
		if err := h.Store.Projects.Update(t.Context(), p.ID, columns); err != nil {
			t.Fatal(err)
		}
	}
	set(map[string]any{"repository_access_level": "private"})
	check("private code", map[*harness.Caller]string{
		anonymous: strings.TrimPrefix(few, "pushed to pushed, "),
		guest:     strings.TrimPrefix(few, "pushed to pushed, "), reporter: most,
	})
	set(map[string]any{"repository_access_level": "enabled", "issues_access_level": "private"})
	check("private issues", map[*harness.Caller]string{anonymous: "pushed to pushed", guest: few, reporter: most})
	set(map[string]any{"issues_access_level": "disabled"})
	check("no issues", map[*harness.Caller]string{anonymous: "pushed to pushed", guest: "pushed to pushed", reporter: "pushed to pushed"})
	h.Golden("listProjectEvents/note",
		h.Root().Send("GET", fmt.Sprintf("/projects/%d/events?target_type=note&per_page=1&sort=asc", p.ID), "").Body)
	expect(t, anonymous.Send("GET", fmt.Sprintf("/projects/%d/events", secret.ID), ""), 404, `{"message":"404 Project Not Found"}`)
}

func TestScopeAllListsEventsOfOthersInMyProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	me, other := h.NewUser(), h.NewUser()
	mine, open := h.Project(*me.User.NamespaceID),
		h.Project(*other.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	shared := h.Project(h.Group().ID)
	h.JoinProject(shared, me.User, model.Guest)
	createEvent(h, mine, model.Event{AuthorID: other.User.ID, Action: model.EventJoined})
	createEvent(h, open, model.Event{AuthorID: other.User.ID, Action: model.EventCreated}) // me is not a member of this project
	createEvent(h, open, model.Event{AuthorID: me.User.ID, Action: model.EventLeft})
	push, branch := "pushed", "branch"
	// Guests cannot read the code, so they do not see pushes.
	createEvent(h, shared, model.Event{AuthorID: other.User.ID, Action: model.EventPushed, PushAction: &push, RefType: &branch})
	createEvent(h, shared, model.Event{AuthorID: other.User.ID, Action: model.EventExpired})
	answer := me.Send("GET", "/events?scope=all", "")
	if got := eventNames(t, answer); got != "removed due to membership expiration from, left, joined" ||
		answer.Header.Get("X-Total") != "3" {
		t.Errorf("%s, %s in all", got, answer.Header.Get("X-Total"))
	}
	if got := eventNames(t,
		me.Send("GET", "/events?scope=all&sort=asc&page=2&per_page=2", "")); got != "removed due to membership expiration from" {
		t.Error(got)
	}
	if got := eventNames(t, me.Send("GET", "/events", "")); got != "left" {
		t.Error(got)
	}
	for range 70 { // more projects than the service checks one by one
		h.JoinProject(h.Project(*other.User.NamespaceID), me.User, model.Reporter)
	}
	if got := eventNames(t, me.Send("GET", "/events?scope=all", "")); got != "removed due to membership expiration from, left, joined" {
		t.Error(got)
	}
	expect(t, me.Send("GET", "/events?scope=some", ""), 400, `{"error":"scope does not have a valid value"}`)
}

func TestJoiningAndLeavingCreateEvents(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, member := h.NewUser(), h.NewUser()
	g := h.Group()
	h.Join(g, owner.User, model.Owner)
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Private })
	path := fmt.Sprintf("/projects/%d", p.ID)
	add := func() {
		t.Helper()
		expect(t, owner.JSON("POST", path+"/members", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, member.User.ID)), 201, "")
	}
	add()
	expect(t, member.Send("DELETE", fmt.Sprintf("%s/members/%d", path, member.User.ID), ""), 204, "")
	add()
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/members/%d", path, member.User.ID), ""), 204, "")
	add()
	h.Join(g, member.User, model.Guest)
	expect(t, owner.Send("DELETE", fmt.Sprintf("/groups/%d/members/%d", g.ID, member.User.ID), ""), 204, "")
	const want = "left, joined, left, joined, left, joined"
	if got := eventNames(t, owner.Send("GET", path+"/events", "")); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := auditEventNames(read[[]auditRow](t, owner.Send("GET", path+
		"/audit_events", ""), 200)); got != "member_created member_destroyed member_created member_destroyed member_created" {
		t.Error(got)
	}
}

func TestAListOfEventsTakesFewStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	for n := range 40 {
		issue := anIssue(h, p, owner.User, int64(n+1), "one", false)
		createEvent(h, p, on(owner.User, model.EventCreated, model.OnIssue, issue))
		createEvent(h, p, on(owner.User, model.EventCommented, model.OnNote, aNote(h, p, owner.User, issue, "note", false)))
	}
	for _, list := range []string{"/events", "/events?scope=all", fmt.Sprintf("/projects/%d/events", p.ID)} {
		sep := "?"
		if strings.Contains(list, "?") {
			sep = "&"
		}
		owner.Send("GET", list+sep+"per_page=2", "")
		before := h.Store.Statements()
		read[[]eventRow](t, owner.Send("GET", list+sep+"per_page=60", ""), 200)
		if n := h.Store.Statements() - before; n > 12 {
			t.Errorf("%s: %d statements", list, n)
		}
	}
}
