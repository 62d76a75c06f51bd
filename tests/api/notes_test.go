package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// note is a note in a response.
type note struct {
	ID       int64   `json:"id"`
	Type     *string `json:"type"`
	Body     string  `json:"body"`
	Internal bool    `json:"internal"`
	System   bool    `json:"system"`
	Author   struct {
		Username string `json:"username"`
	} `json:"author"`
	Resolvable bool  `json:"resolvable"`
	Resolved   *bool `json:"resolved"`
	ResolvedBy *struct {
		Username string `json:"username"`
	} `json:"resolved_by"`
	CreatedAt string `json:"created_at"`
	Position  *struct {
		NewPath string `json:"new_path"`
		NewLine *int64 `json:"new_line"`
	} `json:"position"`
}

const noRecord = `{"message":"404 Not found"}`

// quoted returns a text as a JSON string.
func quoted(text string) string {
	data, _ := json.Marshal(text) // a string always marshals
	return string(data)
}

// bodies returns the bodies of notes, in order.
func bodies(rows []note) string {
	var out []string
	for _, n := range rows {
		out = append(out, n.Body)
	}
	return strings.Join(out, ",")
}

// notesProject is a project with an owner, an issue and a merge request, and the API paths of both.
type notesProject struct {
	owner     *harness.Caller
	project   model.Project
	issue     model.Issue
	request   model.MergeRequest
	onIssue   string
	onRequest string
}

func newNotesProject(t *testing.T, h *harness.H, v model.Visibility, edit ...func(*model.Issue)) notesProject {
	t.Helper()
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = v })
	w := notesProject{
		owner: owner, project: p, issue: storetest.Issue(t, h.Store, p, owner.User, edit...),
		request: storetest.MergeRequest(t, h.Store, p, owner.User),
	}
	w.onIssue = fmt.Sprintf("/projects/%d/issues/%d", p.ID, w.issue.IID)
	w.onRequest = fmt.Sprintf("/projects/%d/merge_requests/%d", p.ID, w.request.IID)
	return w
}

// count returns the number that a query selects.
func count(t *testing.T, h *harness.H, query string, args ...any) int64 {
	t.Helper()
	var n int64
	if err := h.Store.SQL().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNotesAreWrittenReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	reader := h.NewUser()
	for table, path := range map[string]string{"issues": w.onIssue, "merge_requests": w.onRequest} {
		id := map[string]int64{"issues": w.issue.ID, "merge_requests": w.request.ID}[table]
		made := reader.JSON("POST", path+"/notes", `{"body":"first"}`)
		first := read[note](t, made, 201)
		second := read[note](t, w.owner.Form("POST", path+"/notes", "body=second"), 201)
		if first.Type != nil || first.Author.Username != reader.User.Username || first.Resolvable {
			t.Errorf("%+v", first)
		}
		for query, want := range map[string]string{
			"": "second,first", "?sort=asc": "first,second", "?order_by=updated_at&sort=asc": "first,second",
			"?activity_filter=only_activity": "", "?activity_filter=only_comments": "second,first",
			"?per_page=1&page=2": "first",
		} {
			if got := bodies(read[[]note](t, h.Anonymous().Send("GET", path+"/notes"+query, ""), 200)); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		one := fmt.Sprintf("%s/notes/%d", path, first.ID)
		expect(t, h.Anonymous().Send("GET", one, ""), 200, made.Body)
		if got := read[note](t, reader.JSON("PUT", one, `{"body":"changed"}`), 200); got.Body != "changed" {
			t.Errorf("%+v", got)
		}
		stranger, maintainer := h.NewUser(), h.ProjectMember(w.project, model.Maintainer)
		expect(t, stranger.JSON("PUT", one, `{"body":"mine"}`), 403, `{"message":"403 Forbidden"}`)
		expect(t, stranger.Send("DELETE", one, ""), 403, "")
		expect(t, h.ProjectMember(w.project, model.Developer).Send("DELETE", one, ""), 403, "")
		expect(t, maintainer.JSON("PUT", one, `{"body":"tidied"}`), 200, "")
		if n := count(t, h, "SELECT user_notes_count FROM "+table+" WHERE id = $1", id); n != 2 {
			t.Errorf("%d notes are counted", n)
		}
		if n := count(t, h, "SELECT count(*) FROM events WHERE action = 'commented' AND target_type = 'Note' AND target_id = $1",
			first.ID); n != 1 {
			t.Errorf("%d events", n)
		}
		expect(t, reader.Send("DELETE", one, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
		expect(t, reader.Send("DELETE", one, ""), 204, "")
		expect(t, reader.Send("DELETE", one, ""), 404, noRecord)
		expect(t, w.owner.Send("GET", fmt.Sprintf("%s/notes/%d", path, second.ID), ""), 200, "")
		if n := count(t, h, "SELECT user_notes_count FROM "+table+" WHERE id = $1", id); n != 1 {
			t.Errorf("%d notes are counted after one is deleted", n)
		}
		if n := count(t, h, "SELECT count(*) FROM events WHERE target_id = $1 AND target_type = 'Note'", first.ID); n != 0 {
			t.Errorf("%d events of a note that is gone", n)
		}
	}
}

func TestInvalidNotesAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	path := w.onIssue + "/notes"
	expect(t, w.owner.JSON("POST", path, `{}`), 400, `{"error":"body is missing"}`)
	expect(t, w.owner.JSON("POST", path, `{"body":" \n"}`), 400, `{"error":"body is empty"}`)
	expect(t, w.owner.JSON("POST", path, `{"body":`+quoted(strings.Repeat("é", 1_000_001))+`}`), 400,
		`{"message":{"note":["is too long (maximum is 1000000 characters)"]}}`)
	expect(t, w.owner.JSON("POST", path, `{"body":"`+strings.Repeat("x", 2<<20)+`"}`), 400, "")
	expect(t, w.owner.JSON("POST", path, `{"body":"`+strings.Repeat("x", 6<<20)+`"}`), 413, "")
	expect(t, h.Anonymous().JSON("POST", path, `{"body":"x"}`), 401, `{"message":"401 Unauthorized"}`)
	expect(t, w.owner.JSON("POST", fmt.Sprintf("/projects/%d/issues/999999/notes", w.project.ID), `{"body":"x"}`), 404, noRecord)
	expect(t, w.owner.Send("GET", path+"/999999", ""), 404, noRecord)
	expect(t, w.owner.Send("GET", path+"?sort=up", ""), 400, "")
	// A note is found only below the item that it belongs to.
	made := read[note](t, w.owner.JSON("POST", path, `{"body":"x"}`), 201)
	expect(t, w.owner.Send("GET", fmt.Sprintf("%s/notes/%d", w.onRequest, made.ID), ""), 404, noRecord)
	if n := count(t, h, "SELECT count(*) FROM notes"); n != 1 {
		t.Errorf("%d notes are kept", n)
	}
	full := newNotesProject(t, h, model.Public, func(i *model.Issue) { i.UserNotesCount = 5000 })
	expect(t, full.owner.JSON("POST", full.onIssue+"/notes", `{"body":"x"}`), 400,
		`{"message":"Maximum number of comments exceeded (5000)"}`)
}

func TestNotesFollowRolesAndLocks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	yes := true
	w := newNotesProject(t, h, model.Public, func(i *model.Issue) { i.Confidential = true })
	stranger, guest, reporter, assignee := h.NewUser(), h.ProjectMember(w.project, model.Guest),
		h.ProjectMember(w.project, model.Reporter), h.NewUser()
	storetest.Assign(t, h.Store, w.issue, assignee.User)
	for _, c := range []*harness.Caller{stranger, guest, h.Anonymous()} {
		expect(t, c.Send("GET", w.onIssue+"/notes", ""), 404, noRecord)
		expect(t, c.Send("GET", w.onIssue+"/discussions", ""), 404, noRecord)
		expect(t, c.Send("GET", w.onIssue+"/award_emoji", ""), 404, noRecord)
	}
	expect(t, stranger.JSON("POST", w.onIssue+"/notes", `{"body":"x"}`), 404, noRecord)
	for _, c := range []*harness.Caller{reporter, assignee, w.owner} {
		expect(t, c.JSON("POST", w.onIssue+"/notes", `{"body":"x"}`), 201, "")
	}
	// Internal notes are for members from reporter up.
	inside := read[note](t, reporter.JSON("POST", w.onRequest+"/notes", `{"body":"secret","internal":true}`), 201)
	if !inside.Internal {
		t.Errorf("%+v", inside)
	}
	expect(t, guest.JSON("POST", w.onRequest+"/notes", `{"body":"secret","confidential":true}`), 403, "")
	for _, c := range []*harness.Caller{stranger, guest, h.Anonymous()} {
		expect(t, c.Send("GET", w.onRequest+"/notes", ""), 200, "[]")
		expect(t, c.Send("GET", w.onRequest+"/discussions", ""), 200, "[]")
		expect(t, c.Send("GET", fmt.Sprintf("%s/notes/%d", w.onRequest, inside.ID), ""), 404, noRecord)
		expect(t, c.Send("GET", fmt.Sprintf("%s/notes/%d/award_emoji", w.onRequest, inside.ID), ""), 404, noRecord)
	}
	// Only members may write in a locked discussion.
	locked := newNotesProject(t, h, model.Public, func(i *model.Issue) { i.DiscussionLocked = &yes })
	expect(t, stranger.JSON("POST", locked.onIssue+"/notes", `{"body":"x"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, stranger.JSON("POST", locked.onIssue+"/discussions", `{"body":"x"}`), 403, "")
	expect(t, h.ProjectMember(locked.project, model.Guest).JSON("POST", locked.onIssue+"/notes", `{"body":"x"}`), 201, "")
	// A private project gets 404, and a project without the feature issues has no notes on them.
	hidden := newNotesProject(t, h, model.Private)
	expect(t, stranger.Send("GET", hidden.onIssue+"/notes", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.ProjectMember(hidden.project, model.Guest).Send("GET", hidden.onRequest+"/notes", ""), 403, `{"message":"403 Forbidden"}`)
	if err := h.Store.Projects.Update(t.Context(), w.project.ID, map[string]any{"issues_access_level": model.FeatureDisabled}); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"", "/notes", "/discussions", "/award_emoji"} { // all answer like the issue itself
		expect(t, w.owner.Send("GET", w.onIssue+rest, ""), 403, `{"message":"403 Forbidden"}`)
	}
	// An archived project is read-only.
	if err := h.Store.Projects.Update(t.Context(), hidden.project.ID, map[string]any{"archived": true}); err != nil {
		t.Fatal(err)
	}
	expect(t, hidden.owner.JSON("POST", hidden.onIssue+"/notes", `{"body":"x"}`), 403, "")
	expect(t, hidden.owner.Send("GET", hidden.onIssue+"/notes", ""), 200, "[]")
}

func TestOwnersSetTheCreationTimeOfNotes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	body := `{"body":"x","created_at":"2020-01-02T03:04:05Z"}`
	if got := read[note](t, w.owner.JSON("POST", w.onIssue+"/notes", body), 201); got.CreatedAt != "2020-01-02T03:04:05.000Z" {
		t.Errorf("%+v", got)
	}
	if got := read[note](t, h.ProjectMember(w.project, model.Maintainer).JSON("POST", w.onIssue+
		"/notes", body), 201); strings.HasPrefix(got.CreatedAt, "2020") {
		t.Errorf("%+v", got)
	}
}

func TestSystemNotesCannotBeChanged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	row := model.Note{
		ProjectID:    w.project.ID,
		NoteableType: model.OnIssue,
		NoteableID:   &w.issue.ID,
		AuthorID:     w.owner.User.ID,
		Body:         "closed",
		System:       true,
	}
	if err := h.Store.Notes.Add(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
	one := fmt.Sprintf("%s/notes/%d", w.onIssue, row.ID)
	expect(t, w.owner.JSON("PUT", one, `{"body":"x"}`), 403, "")
	expect(t, w.owner.Send("DELETE", one, ""), 403, "")
	expect(t, w.owner.JSON("POST", w.onIssue+"/discussions/"+row.DiscussionID+"/notes", `{"body":"x"}`), 403, "")
	if got := bodies(read[[]note](t, w.owner.Send("GET", w.onIssue+"/notes?activity_filter=only_activity", ""), 200)); got != "closed" {
		t.Errorf("%s", got)
	}
}

func TestMentionsCreateToDoItems(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public, func(i *model.Issue) { i.Confidential = true })
	ann, bob, eve := h.NewUser(named("ann")), h.NewUser(named("bob")), h.NewUser(named("eve"))
	h.JoinProject(w.project, ann.User, model.Reporter)
	h.JoinProject(w.project, bob.User, model.Developer)
	made := read[note](t, w.owner.JSON("POST", w.onIssue+"/notes", `{"body":"@ann: look, with @Bob and @eve, not `+"`@joe`"+`"}`), 201)
	asked := func(u model.User, action string) int64 {
		return count(t, h,
			"SELECT count(*) FROM todos WHERE user_id = $1 AND action_name = $2 AND target_id = $3 AND note_id = $4 AND state = 'pending'",
			u.ID, action, w.issue.ID, made.ID)
	}
	if asked(ann.User, "directly_addressed") != 1 || asked(bob.User, "mentioned") != 1 || asked(eve.User, "mentioned") != 0 {
		t.Error("not who may read the issue is asked, and no one else")
	}
	// A reply marks the to-do item of its author as done.
	expect(t, ann.JSON("POST", w.onIssue+"/notes", `{"body":"I see"}`), 201, "")
	if asked(ann.User, "directly_addressed") != 0 {
		t.Error("who has answered is still asked")
	}
	names := strings.Builder{}
	for i := range 1000 {
		fmt.Fprintf(&names, "@nobody%d ", i)
	}
	before := h.Store.Statements()
	expect(t, w.owner.JSON("POST", w.onIssue+"/notes", `{"body":`+quoted(names.String())+`}`), 201, "")
	if n := h.Store.Statements() - before; n > 25 {
		t.Errorf("%d statements for a note that names many", n)
	}
}

func TestAListOfNotesTakesFewStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	cost := func() int64 {
		before := h.Store.Statements()
		expect(t, w.owner.Send("GET", w.onIssue+"/notes?per_page=100", ""), 200, "")
		expect(t, w.owner.Send("GET", w.onIssue+"/discussions?per_page=100", ""), 200, "")
		return h.Store.Statements() - before
	}
	expect(t, w.owner.JSON("POST", w.onIssue+"/notes", `{"body":"x"}`), 201, "")
	cost()
	one := cost()
	for range 30 {
		row := model.Note{
			ProjectID:    w.project.ID,
			NoteableType: model.OnIssue,
			NoteableID:   &w.issue.ID,
			AuthorID:     h.NewUser().User.ID,
			Body:         "x",
		}
		if err := h.Store.Notes.Add(t.Context(), &row); err != nil {
			t.Fatal(err)
		}
	}
	if many := cost(); many > one+1 {
		t.Errorf("%d statements for 31 notes, %d for one", many, one)
	}
}

func TestNotesOfADeletedUserAreKept(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	leaver := h.NewUser()
	made := read[note](t, leaver.JSON("POST", w.onIssue+"/notes", `{"body":"bye"}`), 201)
	expect(t, leaver.JSON("POST", w.onIssue+"/award_emoji", `{"name":"thumbsup"}`), 201, "")
	if err := h.Store.Users.Remove(t.Context(), leaver.User.ID); err != nil {
		t.Fatal(err)
	}
	if got := read[note](t, w.owner.Send("GET", fmt.Sprintf("%s/notes/%d", w.onIssue, made.ID), ""), 200); got.Author.Username != "ghost" {
		t.Errorf("%+v", got)
	}
	if n := count(t, h, "SELECT upvotes FROM issues WHERE id = $1", w.issue.ID); n != 0 {
		t.Errorf("%d thumbs are left", n)
	}
}

func TestQuickActionsInANoteAreApplied(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public)
	reader := h.NewUser()
	path := w.onIssue + "/notes"
	expect(t, reader.JSON("POST", path, `{"body":"/subscribe\n/todo\n/award :thumbsup:"}`), 202,
		`{"commands_changes":{"emoji_award":"thumbsup","subscription_event":"subscribe","todo_event":"add"},`+
			`"summary":["Subscribed to this issue.","Added a to-do item.","Toggled :thumbsup: emoji reaction."]}`)
	for query, want := range map[string]int64{
		"SELECT count(*) FROM notes": 0, "SELECT count(*) FROM subscriptions WHERE subscribed": 1,
		"SELECT count(*) FROM todos WHERE state = 'pending'": 1, "SELECT upvotes FROM issues": 1,
	} {
		if n := count(t, h, query); n != want {
			t.Errorf("%s: %d", query, n)
		}
	}
	made := reader.JSON("POST", path, `{"body":"I am off\n/unsubscribe\n/done\n/award :thumbsup:"}`)
	if got := read[note](t, made, 201); got.Body != "I am off" || !strings.Contains(made.Body, `"subscription_event":"unsubscribe"`) {
		t.Errorf("%s", made.Body)
	}
	for query, want := range map[string]int64{
		"SELECT count(*) FROM notes": 1, "SELECT count(*) FROM subscriptions WHERE NOT subscribed": 1,
		"SELECT count(*) FROM todos WHERE state = 'pending'": 0, "SELECT upvotes FROM issues": 0,
	} {
		if n := count(t, h, query); n != want {
			t.Errorf("%s: %d", query, n)
		}
	}
	// Text that is not a known quick action stays in the note.
	if got := read[note](t, reader.JSON("POST", path, `{"body":"/frobnicate"}`), 201); got.Body != "/frobnicate" {
		t.Errorf("%+v", got)
	}
}

func TestNotesThreadsAndEmojiMatchTheirGoldenFiles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	jane := h.NewUser(named("jane"))
	p := h.Project(*jane.User.NamespaceID)
	issue := storetest.Issue(t, h.Store, p, jane.User, func(i *model.Issue) { i.IID = 6 })
	request := storetest.MergeRequest(t, h.Store, p, jane.User, func(m *model.MergeRequest) { m.IID = 7 })
	onIssue, onRequest := fmt.Sprintf("/projects/%d/issues/%d", p.ID, issue.IID),
		fmt.Sprintf("/projects/%d/merge_requests/%d", p.ID, request.IID)
	h.Golden("createProjectIssueNote/note", jane.JSON("POST", onIssue+"/notes", `{"body":"Nice work."}`).Body)
	h.Golden("createProjectIssueAwardEmoji/emoji", jane.JSON("POST", onIssue+"/award_emoji", `{"name":"tada"}`).Body)
	sha := strings.Repeat("a1", 20)
	made := jane.JSON("POST", onRequest+"/discussions",
		fmt.Sprintf(`{"body":"here","position":{"base_sha":"%s","start_sha":"%s","head_sha":"%s",`+
			`"position_type":"text","new_path":"a/b.txt","new_line":7}}`, sha, sha, sha))
	id := read[thread](t, made, 201).ID
	got := jane.JSON("PUT", onRequest+"/discussions/"+id, `{"resolved":true}`)
	h.Golden("updateProjectMergeRequestDiscussion/resolved", strings.ReplaceAll(got.Body, id, "the id of the thread"))
}
