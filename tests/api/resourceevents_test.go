package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// resourceEvent is a resource event in a response.
type resourceEvent struct {
	ID           int64 `json:"id"`
	User         *struct{ Username string }
	ResourceType string `json:"resource_type"`
	ResourceID   int64  `json:"resource_id"`
	Action       string
	State        string
	Label        *struct{ Name string }
	Milestone    *struct{ Title string }
	Weight       *int64
}

// text returns what an event says, in a few words.
func (e resourceEvent) text() string {
	switch {
	case e.Label != nil:
		return e.Action + " " + e.Label.Name
	case e.Milestone != nil:
		return e.Action + " " + e.Milestone.Title
	case e.State != "":
		return e.State
	case e.Action != "":
		return e.Action
	case e.Weight != nil:
		return fmt.Sprint(*e.Weight)
	}
	return "none"
}

// resourceEvents lists the events of one kind as texts, and checks that each can be read alone.
func resourceEvents(t *testing.T, c *harness.Caller, item, kind, query string) string {
	t.Helper()
	path := item + "/resource_" + kind + "_events"
	var texts []string
	for _, e := range read[[]resourceEvent](t, c.Send("GET", path+query, ""), 200) {
		texts = append(texts, e.text())
		if one := read[resourceEvent](t, c.Send("GET", fmt.Sprintf("%s/%d", path, e.ID), ""), 200); one.text() != e.text() {
			t.Errorf("%s alone is %s", e.text(), one.text())
		}
	}
	return strings.Join(texts, ", ")
}

func expectEvents(t *testing.T, c *harness.Caller, item string, want map[string]string) {
	t.Helper()
	for kind, texts := range want {
		if got := resourceEvents(t, c, item, kind, "?sort=asc&per_page=100"); got != texts {
			t.Errorf("the %s events of %s are %q, want %q", kind, item, got, texts)
		}
	}
}

func TestChangesOfAnIssueAreResourceEvents(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	project := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	ann := h.ProjectMember(project, model.Maintainer)
	base := fmt.Sprintf("/projects/%d", project.ID)
	var goals []int64
	for _, title := range []string{"v1", "v2"} {
		made := ann.JSON("POST", base+"/milestones", fmt.Sprintf(`{"title":%q}`, title))
		expect(t, made, 201, "")
		goals = append(goals, int64(member(t, made, "id").(float64)))
	}
	made := ann.JSON("POST", base+"/issues",
		fmt.Sprintf(`{"title":"One","labels":"bug,ui","milestone_id":%d,"weight":3}`, goals[0]))
	expect(t, made, 201, "")
	issue := fmt.Sprintf("%s/issues/%v", base, member(t, made, "iid"))
	for _, change := range []string{
		`{"labels":"bug,fast"}`, fmt.Sprintf(`{"milestone_id":%d}`, goals[1]), `{"milestone_id":0}`,
		`{"weight":5}`, `{"weight":null}`, `{"state_event":"close"}`, `{"state_event":"reopen"}`, `{"title":"Two","labels":"bug,fast"}`,
	} {
		expect(t, ann.JSON("PUT", issue, change), 200, "")
	}
	expect(t, ann.JSON("POST", issue+"/notes", `{"body":"/close\n/unlabel ~fast"}`), 202, "")
	expectEvents(t, ann, issue, map[string]string{
		"label":     "add bug, add ui, add fast, remove ui, remove fast",
		"milestone": "add v1, remove v1, add v2, remove v2",
		"weight":    "3, 5, none",
		"state":     "closed, reopened, closed",
	})
	if got := resourceEvents(t, ann, issue, "state", "?sort=desc&per_page=1"); got != "closed" {
		t.Errorf("the last state event is %s", got)
	}
	first := read[[]resourceEvent](t, ann.Send("GET", issue+"/resource_weight_events?per_page=1", ""), 200)[0]
	if first.ResourceType != "Issue" || first.ResourceID != int64(member(t, made, "id").(float64)) || first.User == nil ||
		first.User.Username != ann.User.Username {
		t.Errorf("%+v", first)
	}
	expect(t, ann.Send("GET", issue+fmt.Sprintf("/resource_label_events/%d", first.ID), ""), 404, noRecord)
	expect(t, ann.Send("DELETE", base+"/labels/bug", ""), 204, "")
	if got := resourceEvents(t, ann, issue, "label", "?per_page=1"); got != "add" {
		t.Errorf("the event of a deleted label is %q", got)
	}
	expect(t, h.Root().Send("DELETE", issue, ""), 204, "")
	if left := count(t, h, "SELECT count(*) FROM resource_events"); left != 0 {
		t.Errorf("%d events stay after the issue was deleted", left)
	}
}

func TestChangesOfAMergeRequestAreResourceEvents(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	goal := w.maintainer.JSON("POST", w.path+"/milestones", `{"title":"v1"}`)
	expect(t, goal, 201, "")
	w.commit("feature", "Add a", map[string]string{"a.txt": "a\n"})
	mr := read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
		`{"source_branch":"feature","target_branch":"main","title":"Add a","labels":"bug"}`), 201)
	one := w.at(mr.IID, "")
	for _, change := range []string{
		`{"add_labels":"ui","remove_labels":"bug"}`, fmt.Sprintf(`{"milestone_id":%v}`, member(t, goal, "id")), `{"milestone_id":0}`,
		`{"state_event":"close"}`, `{"state_event":"reopen"}`,
	} {
		expect(t, w.developer.JSON("PUT", one, change), 200, "")
	}
	waitForQueue(t, h)
	expect(t, w.maintainer.JSON("PUT", one+"/merge", `{}`), 200, "")
	expectEvents(t, w.reporter, one, map[string]string{
		"label": "add bug, add ui, remove bug", "milestone": "add v1, remove v1", "state": "closed, reopened, merged",
	})
}

func TestResourceEventsAreForReadersOfTheItem(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newNotesProject(t, h, model.Public, func(i *model.Issue) { i.Confidential = true })
	stranger := h.NewUser()
	for _, path := range []string{w.onIssue, w.onRequest} {
		expect(t, h.Anonymous().Send("GET", path+"/resource_label_events", ""), 401, "")
		expect(t, w.owner.Send("GET", path+"/resource_label_events", ""), 200, "[]")
		expect(t, w.owner.Send("GET", path+"/resource_label_events?pagination=keyset", ""), 405, "")
	}
	expect(t, stranger.Send("GET", w.onIssue+"/resource_state_events", ""), 404, noRecord)
	expect(t, stranger.Send("GET", w.onRequest+"/resource_state_events", ""), 200, "[]")
	private := newNotesProject(t, h, model.Private)
	expect(t, stranger.Send("GET", private.onRequest+"/resource_state_events", ""), 404, "")
	expect(t, w.owner.Send("GET", fmt.Sprintf("/projects/%d/issues/999/resource_state_events", w.project.ID), ""), 404, noRecord)
}
