package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestToDoItemsAreListedAndMarkedAsDone(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, dev, guest, stranger := h.NewUser(named("olga")), h.NewUser(named("dora")), h.NewUser(named("gus")), h.NewUser(named("sam"))
	p := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path, p.Name = "web", "Web" })
	h.JoinProject(p, dev.User, model.Developer)
	h.JoinProject(p, guest.User, model.Guest)
	in := fmt.Sprintf("/projects/%d/issues", p.ID)
	var many strings.Builder
	for i := range 10000 {
		fmt.Fprintf(&many, "@nobody%d ", i)
	}
	before := h.Store.Statements()
	text := fmt.Sprintf("@%s look; also @%s and @%s", guest.User.Username, dev.User.Username, stranger.User.Username)
	expect(t, owner.JSON("POST", in,
		fmt.Sprintf(`{"title":"a","description":"%s %s","assignee_ids":[%d]}`, text, many.String(), dev.User.ID)), 201, "")
	if n := h.Store.Statements() - before; n > 40 {
		t.Errorf("10,000 names took %d statements", n)
	}
	one := in + "/1"
	type todo struct {
		ID     int64
		Action string `json:"action_name"`
		State  string
		Target struct{ Title string }
	}
	shown := dev.Send("GET", "/todos", "")
	if rows := read[[]todo](t, shown, 200); len(rows) != 2 || rows[1].Action != "assigned" ||
		rows[0].Action != "mentioned" || rows[0].Target.Title != "a" {
		t.Errorf("%+v", rows)
	}
	rows := read[[]todo](t, guest.Send("GET", "/todos?type=Issue&action=directly_addressed", ""), 200)
	if len(rows) != 1 {
		t.Fatalf("%+v", rows)
	}
	if rows := read[[]todo](t, stranger.Send("GET", "/todos", ""), 200); len(rows) != 0 {
		t.Errorf("who does not see it is not asked: %+v", rows)
	}
	if counts := dev.Send("GET", "/user_counts", ""); !strings.Contains(counts.Body, `"assigned_issues":1`) ||
		!strings.Contains(counts.Body, `"todos":2`) {
		t.Errorf("%s", counts.Body)
	}
	if got := owner.Send("GET", fmt.Sprintf("/users/%d/associations_count", owner.User.ID), ""); !strings.Contains(got.Body,
		`"issues_count":1`) {
		t.Errorf("%s", got.Body)
	}
	done := fmt.Sprintf("/todos/%d/mark_as_done", rows[0].ID)
	expect(t, dev.Send("POST", done, ""), 404, "")
	if got := read[todo](t, guest.Send("POST", done, ""), 200); got.State != "done" {
		t.Errorf("%+v", got)
	}
	expect(t, guest.Send("POST", one+"/todo", ""), 201, "")
	expect(t, guest.Send("POST", one+"/todo", ""), 304, "")
	expect(t, dev.Send("POST", "/todos/mark_as_done", ""), 204, "")
	if rows := read[[]todo](t, dev.Send("GET", "/todos?state=done", ""), 200); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	expect(t, owner.JSON("POST", in, fmt.Sprintf(`{"title":"b","assignee_id":%d}`, dev.User.ID)), 201, "")
	h.Golden("listTodos/todos", dev.Send("GET", "/todos", "").Body)
}
