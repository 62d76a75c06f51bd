package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// epicNote is what the tests read of a note on an epic.
type epicNote struct {
	ID       int64
	Body     string
	Type     *string
	System   bool
	Internal bool
	Author   struct{ Username string }
	Noteable int64  `json:"noteable_id"`
	Kind     string `json:"noteable_type"`
}

type epicThread struct {
	ID     string
	Single bool `json:"individual_note"`
	Notes  []epicNote
}

func epicBodies(rows []epicNote) string {
	out := make([]string, len(rows))
	for i, n := range rows {
		out[i] = n.Body
	}
	return strings.Join(out, "|")
}

func TestUsersCommentOnEpics(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	notes := fmt.Sprintf("%s/%d/notes", w.in, w.epic.ID)
	visitor := w.h.NewUser()
	made := visitor.JSON("POST", notes, `{"body":"Hello"}`)
	one := read[epicNote](t, made, 201)
	w.h.Golden("createGroupEpicNote/note", withoutName(visitor, made.Body))
	if one.Body != "Hello" || one.Kind != "Epic" || one.Noteable != w.epic.ID || one.System || one.Type != nil {
		t.Errorf("%+v", one)
	}
	secret := read[epicNote](t, w.reporter.JSON("POST", notes, `{"body":"secret","internal":true}`), 201)
	for who, want := range map[*harness.Caller]string{
		w.reporter: "secret|Hello", visitor: "Hello", w.h.Anonymous(): "Hello",
	} {
		if got := epicBodies(read[[]epicNote](t, who.Send("GET", notes, ""), 200)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	path := fmt.Sprintf("%s/%d", notes, one.ID)
	expect(t, w.h.Anonymous().Send("GET", path, ""), 200, "")
	expect(t, visitor.Send("GET", fmt.Sprintf("%s/%d", notes, secret.ID), ""), 404, `{"message":"404 Not found"}`)
	expect(t, visitor.Send("GET", notes+"/999999", ""), 404, `{"message":"404 Not found"}`)
	expect(t, visitor.JSON("POST", notes, `{"body":"x","internal":true}`), 403, "")
	expect(t, visitor.JSON("POST", notes, `{"body":" "}`), 400, "")
	expect(t, w.h.Anonymous().JSON("POST", notes, `{"body":"x"}`), 401, "")
	expect(t, visitor.JSON("POST", fmt.Sprintf("%s/%d/notes", w.in, 999999), `{"body":"x"}`), 404, `{"message":"404 Not found"}`)
	expect(t, w.reporter.JSON("PUT", path, `{"body":"x"}`), 403, "")
	expect(t, visitor.JSON("PUT", path, `{"body":" "}`), 400, "")
	if got := read[epicNote](t, visitor.JSON("PUT", path, `{"body":"Bye"}`), 200); got.Body != "Bye" {
		t.Errorf("%+v", got)
	}
	maintainer := w.h.Member(w.group, model.Maintainer)
	expect(t, maintainer.JSON("PUT", path, `{"body":"Bye, bye"}`), 200, "")
	if n := member(t, w.reporter.Send("GET", w.in+"/1", ""), "user_notes_count"); n != 2.0 {
		t.Errorf("%v notes", n)
	}
	expect(t, w.reporter.Send("DELETE", path, ""), 403, "")
	expect(t, visitor.Send("DELETE", path, ""), 204, "")
	expect(t, visitor.Send("GET", path, ""), 404, "")
	if n := member(t, w.reporter.Send("GET", w.in+"/1", ""), "user_notes_count"); n != 1.0 {
		t.Errorf("%v notes", n)
	}
	owner := w.h.Member(w.group, model.Owner)
	old := owner.JSON("POST", notes, `{"body":"old","created_at":"2001-02-03T04:05:06Z"}`)
	if !strings.Contains(old.Body, "2001-02-03T04:05:06") {
		t.Error(old.Body)
	}
	shown := owner.Send("GET", notes+"?sort=asc&activity_filter=only_comments", "")
	if got := epicBodies(read[[]epicNote](t, shown, 200)); got != "old|secret" {
		t.Error(got)
	}
}

// Confidential epics and epics of private groups are as if they did not exist.
func TestNotesOfHiddenEpicsAreHidden(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	secret := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"secret","confidential":true}`), 201)
	guest, at := w.h.Member(w.group, model.Guest), fmt.Sprintf("%s/%d", w.in, secret.ID)
	expect(t, w.reporter.JSON("POST", at+"/notes", `{"body":"x"}`), 201, "")
	for _, path := range []string{at + "/notes", at + "/discussions", at + "/resource_label_events", at + "/resource_state_events"} {
		expect(t, guest.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
		expect(t, w.reporter.Send("GET", path, ""), 200, "")
	}
	expect(t, guest.Send("GET", w.in+"/2/award_emoji", ""), 404, `{"message":"404 Not found"}`)
	expect(t, guest.JSON("POST", at+"/notes", `{"body":"x"}`), 404, "")
	// An epic is found in its own group only.
	other := w.h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	expect(t, w.h.Root().Send("GET", fmt.Sprintf("/groups/%d/epics/%d/notes", other.ID, w.epic.ID), ""), 404, "")
	hidden := w.h.Group()
	expect(t, guest.Send("GET", fmt.Sprintf("/groups/%d/epics/%d/notes", hidden.ID, w.epic.ID), ""), 404, "")
}

func TestThreadsOnEpics(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	at := fmt.Sprintf("%s/%d", w.in, w.epic.ID)
	first := read[epicThread](t, w.reporter.JSON("POST", at+"/discussions", `{"body":"one"}`), 201)
	if first.Single || len(first.Notes) != 1 || first.Notes[0].Type == nil {
		t.Errorf("%+v", first)
	}
	alone := read[epicNote](t, w.reporter.JSON("POST", at+"/notes", `{"body":"alone","internal":true}`), 201)
	threads := read[[]epicThread](t, w.reporter.Send("GET", at+"/discussions", ""), 200)
	if len(threads) != 2 || !threads[1].Single {
		t.Fatalf("%+v", threads)
	}
	of := at + "/discussions/" + threads[1].ID
	reply := read[epicNote](t, w.reporter.JSON("POST", of+"/notes", `{"body":"reply"}`), 201)
	if !reply.Internal {
		t.Errorf("%+v", reply)
	}
	if got := read[epicThread](t, w.reporter.Send("GET", of, ""), 200); got.Single || epicBodies(got.Notes) != "alone|reply" {
		t.Errorf("%+v", got)
	}
	visitor := w.h.NewUser()
	expect(t, visitor.Send("GET", of, ""), 404, "")
	expect(t, visitor.JSON("POST", of+"/notes", `{"body":"x"}`), 404, "")
	if page := visitor.Send("GET", at+"/discussions?per_page=1", ""); len(read[[]epicThread](t, page, 200)) != 1 ||
		page.Header.Get("X-Total") != "1" {
		t.Error(page.Body)
	}
	note := fmt.Sprintf("%s/notes/%d", of, reply.ID)
	expect(t, w.reporter.Send("GET", note, ""), 200, "")
	expect(t, w.reporter.Send("GET", fmt.Sprintf("%s/discussions/%s/notes/%d", at, first.ID, reply.ID), ""), 404, "")
	if got := read[epicNote](t, w.reporter.JSON("PUT", note, `{"body":"changed"}`), 200); got.Body != "changed" {
		t.Errorf("%+v", got)
	}
	expect(t, w.h.Member(w.group, model.Reporter).JSON("PUT", note, `{"body":"x"}`), 403, "")
	expect(t, w.h.Member(w.group, model.Reporter).Send("DELETE", note, ""), 403, "")
	expect(t, w.reporter.Send("DELETE", note, ""), 204, "")
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/notes/%d", at, alone.ID), ""), 204, "")
	expect(t, w.reporter.Send("GET", of, ""), 404, "")
}

func TestChangesOfEpicsAreRecorded(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	for _, body := range []string{
		`{"title":"Gates","description":"more","start_date_fixed":"2030-01-02"}`, `{"labels":"a"}`, `{"labels":"b"}`,
		`{"state_event":"close"}`, `{"state_event":"close"}`, `{"state_event":"reopen"}`, `{"confidential":true}`, `{` +
			`"start_date_fixed":null}`,
	} {
		expect(t, w.reporter.JSON("PUT", w.in+"/1", body), 200, "")
	}
	at := fmt.Sprintf("%s/%d", w.in, w.epic.ID)
	rows := read[[]epicNote](t, w.reporter.Send("GET", at+"/notes?sort=asc&activity_filter=only_activity", ""), 200)
	said := epicBodies(rows)
	for _, text := range []string{
		"changed title from **Doors** to **Gates**|changed the description|changed the fixed start date to January 2, 2030|added ~",
		"|closed|reopened|made the epic confidential|removed the fixed start date",
	} {
		if !strings.Contains(said, text) {
			t.Errorf("%q is not in %q", text, said)
		}
	}
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/notes/%d", at, rows[0].ID), `{"body":"x"}`), 403, "")
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/notes/%d", at, rows[0].ID), ""), 403, "")
	type event struct {
		ID            int64
		Action, State string
		Kind          string `json:"resource_type"`
		Label         *struct{ Name string }
	}
	labels := read[[]event](t, w.reporter.Send("GET", at+"/resource_label_events", ""), 200)
	if len(labels) != 3 || labels[0].Action != "add" || labels[0].Label.Name != "a" || labels[0].Kind != "Epic" {
		t.Fatalf("%+v", labels)
	}
	expect(t, w.reporter.Send("GET", fmt.Sprintf("%s/resource_label_events/%d", at, labels[0].ID), ""), 200, "")
	expect(t, w.reporter.Send("GET", at+"/resource_label_events/999999", ""), 404, "")
	expect(t, w.h.Anonymous().Send("GET", at+"/resource_label_events", ""), 401, "")
	states := read[[]event](t, w.reporter.Send("GET", at+"/resource_state_events?sort=desc", ""), 200)
	if len(states) != 2 || states[0].State != "reopened" || states[1].State != "closed" {
		t.Fatalf("%+v", states)
	}
	expect(t, w.reporter.Send("GET", fmt.Sprintf("%s/resource_state_events/%d", at, states[0].ID), ""), 200, "")
	expect(t, w.reporter.Send("GET", fmt.Sprintf("%s/resource_state_events/%d", at, labels[0].ID), ""), 404, "")
}

func TestUsersGiveEmojiToEpics(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	at := w.in + "/1/award_emoji"
	visitor := w.h.NewUser()
	made := read[struct {
		ID   int64
		Kind string `json:"awardable_type"`
	}](t, visitor.JSON("POST", at, `{"name":"thumbsup"}`), 201)
	if made.Kind != "Epic" {
		t.Errorf("%+v", made)
	}
	expect(t, visitor.JSON("POST", at, `{"name":"thumbsup"}`), 404, "")
	expect(t, w.h.Anonymous().JSON("POST", at, `{"name":"thumbsup"}`), 401, "")
	expect(t, visitor.JSON("POST", at, `{"name":"no good"}`), 400, "")
	path := fmt.Sprintf("%s/%d", at, made.ID)
	expect(t, w.h.Anonymous().Send("GET", path, ""), 200, "")
	if n := member(t, w.reporter.Send("GET", w.in+"/1", ""), "upvotes"); n != 1.0 {
		t.Errorf("%v votes", n)
	}
	expect(t, w.reporter.JSON("POST", w.in, `{"title":"without"}`), 201, "")
	for query, want := range map[string]string{"thumbsup": "Doors", "None": "without", "Any": "Doors"} {
		got := epicTitles(read[[]epic](t, visitor.Send("GET", w.in+"?my_reaction_emoji="+query, ""), 200))
		if got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	expect(t, w.reporter.Send("DELETE", path, ""), 403, "")
	expect(t, visitor.Send("DELETE", path, ""), 204, "")
	expect(t, visitor.Send("GET", path, ""), 404, "")
	expect(t, visitor.Send("GET", at, ""), 200, "[]")
	if n := member(t, w.reporter.Send("GET", w.in+"/1", ""), "upvotes"); n != 0.0 {
		t.Errorf("%v votes", n)
	}
}

func TestNotesAndEmojiGoWithTheirEpicAndTheirUser(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	at := fmt.Sprintf("%s/%d/notes", w.in, w.epic.ID)
	leaver, root := w.h.NewUser(), w.h.Root()
	expect(t, leaver.JSON("POST", at, `{"body":"x"}`), 201, "")
	expect(t, w.reporter.JSON("POST", at, `{"body":"stays"}`), 201, "")
	expect(t, leaver.JSON("POST", w.in+"/1/award_emoji", `{"name":"thumbsup"}`), 201, "")
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d?hard_delete=true", leaver.User.ID), ""), 204, "")
	w.h.StartWorker()
	wait.Until(t, "the user is deleted", func() bool {
		return root.Send("GET", fmt.Sprintf("/users/%d", leaver.User.ID), "").Status == 404
	})
	for query, want := range map[string]int64{
		"SELECT count(*) FROM epic_notes": 1, "SELECT user_notes_count FROM epics": 1, "SELECT upvotes FROM epics": 0,
		"SELECT count(*) FROM award_emoji": 0,
	} {
		if n := count(t, w.h, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	expect(t, w.reporter.JSON("POST", w.in+"/1/award_emoji", `{"name":"rocket"}`), 201, "")
	second := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"second"}`), 201)
	expect(t, w.reporter.JSON("POST", fmt.Sprintf("%s/%d/award_emoji", w.in, second.IID), `{"name":"rocket"}`), 201, "")
	expect(t, root.Send("DELETE", w.in+"/1", ""), 204, "")
	if n := count(t, w.h, "SELECT count(*) FROM award_emoji"); n != 1 {
		t.Errorf("%d emoji", n)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/groups/%d", w.group.ID), ""), 202, "")
	for _, table := range []string{"award_emoji", "epic_notes", "epics", "epic_issues"} {
		if n := count(t, w.h, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
}
