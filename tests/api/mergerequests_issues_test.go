package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMergeRequestsAndIssuesReferToEachOther(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	other := h.Project(h.Group(at("Far"), seen(model.Public)).ID, called("place", model.Public))
	h.JoinProject(other, w.developer.User, model.Reporter)
	for _, title := range []string{"one", "two", "three"} {
		expect(t, w.developer.JSON("POST", w.path+"/issues", fmt.Sprintf(`{"title":%q}`, title)), 201, "")
	}
	expect(t, w.maintainer.JSON("POST", w.path+"/issues", `{"title":"secret","confidential":true}`), 201, "")
	expect(t, w.developer.JSON("POST", fmt.Sprintf("/projects/%d/issues", other.ID), `{"title":"far"}`), 201, "")
	w.commit("a", "A", map[string]string{"a.txt": "a\n"})
	mr := read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
		`{"source_branch":"a","target_branch":"main","title":"Fixes #1","description":"See #2, #4 and closes far/PLACE#1"}`), 201)
	guest := h.ProjectMember(w.project, model.Guest)
	closes, related := w.at(mr.IID, "/closes_issues"), w.at(mr.IID, "/related_issues")
	for path, want := range map[string]string{closes: "one far", related: "one two secret far"} {
		if got := titles(t, w.developer.Send("GET", path, "")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	expect(t, guest.Send("GET", closes, ""), 403, "")
	expect(t, w.developer.Send("GET", w.at(99, "/closes_issues"), ""), 404, "")
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"description":"See #3"}`), 200, "")
	if got := titles(t, w.developer.Send("GET", related, "")); got != "one three" {
		t.Errorf("after a change %s", got)
	}
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"description":"Closes far/place#1 and see #4"}`), 200, "")
	issue := w.path + "/issues/1"
	for _, rest := range []string{"/related_merge_requests", "/closed_by"} {
		if rows := read[[]mergeRequest](t, w.developer.Send("GET", issue+rest, ""), 200); len(rows) != 1 || rows[0].IID != mr.IID {
			t.Errorf("%s: %+v", rest, rows)
		}
		expect(t, guest.Send("GET", issue+rest, ""), 200, "[]") // guests do not see merge requests
		expect(t, w.reporter.Send("GET", w.path+"/issues/4"+rest, ""), 200, "")
		expect(t, guest.Send("GET", w.path+"/issues/4"+rest, ""), 404, noRecord)
	}
	if rows := read[[]mergeRequest](t, w.developer.Send("GET", w.path+"/issues/4/closed_by", ""), 200); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200, "")
	w.commit("main", "Done.\n\nCloses #2", map[string]string{"b.txt": "b\n"})
	waitForQueue(t, h)
	for iid, want := range map[int]string{1: "closed", 2: "closed", 3: "opened", 4: "opened"} {
		if got := read[issueDetails](t, w.developer.Send("GET", fmt.Sprintf("%s/issues/%d", w.path, iid), ""), 200); got.State != want {
			t.Errorf("issue %d is %s", iid, got.State)
		}
	}
	// The maintainer who merged may not close issues of the other project.
	answer := w.developer.Send("GET", fmt.Sprintf("/projects/%d/issues/1", other.ID), "")
	if got := read[issueDetails](t, answer, 200); got.State != "opened" {
		t.Errorf("%+v", got)
	}
	w.set(map[string]any{"autoclose_referenced_issues": false})
	expect(t, w.developer.Send("GET", closes, ""), 200, "[]")
}

func TestTimeAndTodosOfMergeRequests(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("a", "A", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("a", "Add a")
	one := w.at(mr.IID, "")
	expect(t, w.developer.JSON("POST", one+"/time_estimate", `{"duration":"3h30m"}`), 200,
		`{"time_estimate":12600,"total_time_spent":0,"human_time_estimate":"3h 30m","human_total_time_spent":null}`)
	expect(t, w.developer.JSON("POST", one+"/add_spent_time", `{"duration":"1h","summary":"oil"}`), 201, "")
	expect(t, w.developer.JSON("POST", one+"/add_spent_time", `{"duration":"-2h"}`), 400, "")
	expect(t, w.developer.JSON("POST", one+"/add_spent_time", `{"duration":"soon"}`), 400, `{"error":"duration is invalid"}`)
	expect(t, w.developer.JSON("POST", one+"/time_estimate", `{"duration":"-1h"}`), 400, `{"error":"duration is invalid"}`)
	for _, rest := range []string{"/time_estimate", "/add_spent_time"} {
		expect(t, w.reporter.JSON("POST", one+rest, `{"duration":"1h"}`), 403, "")
	}
	expect(t, w.reporter.Send("GET", one+"/time_stats", ""), 200,
		`{"time_estimate":12600,"total_time_spent":3600,"human_time_estimate":"3h 30m","human_total_time_spent":"1h"}`)
	expect(t, w.developer.Send("POST", one+"/reset_spent_time", ""), 200, "")
	expect(t, w.developer.Send("POST", one+"/reset_time_estimate", ""), 200,
		`{"time_estimate":0,"total_time_spent":0,"human_time_estimate":null,"human_total_time_spent":null}`)
	if said := w.notes(mr.ID); !strings.Contains(said, "added 1h of time spent") || !strings.Contains(said, "removed time estimate") {
		t.Errorf("%s", said)
	}
	made := w.reporter.Send("POST", one+"/todo", "")
	if got := member(t, made, "action_name"); made.Status != 201 || got != "marked" {
		t.Errorf("%s", made.Body)
	}
	expect(t, w.reporter.Send("POST", one+"/todo", ""), 304, "")
	expect(t, h.ProjectMember(w.project, model.Guest).Send("POST", one+"/todo", ""), 403, "")
	expect(t, h.NewUser().Send("POST", one+"/todo", ""), 404, "")
}

func TestMergeRequestsOfMilestonesAndTheSimpleView(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	above := fmt.Sprintf("/groups/%d/milestones", w.project.NamespaceID)
	wide := member(t, h.Root().JSON("POST", above, `{"title":"2.0"}`), "id")
	own := member(t, w.maintainer.JSON("POST", w.path+"/milestones", `{"title":"1.0"}`), "id")
	for i, id := range []any{own, wide} {
		branch := fmt.Sprintf("b%d", i)
		w.commit(branch, "B", map[string]string{branch: "b\n"})
		body := fmt.Sprintf(`{"source_branch":%q,"target_branch":"main","title":%q,"milestone_id":%v}`, branch, branch, id)
		expect(t, w.developer.JSON("POST", w.mrs, body), 201, "")
	}
	in := fmt.Sprintf("%s/milestones/%v", w.path, own)
	for path, want := range map[string]string{in + "/merge_requests": "b0", fmt.Sprintf("%s/%v/merge_requests", above, wide): "b1"} {
		if got := titles(t, w.developer.Send("GET", path, "")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	guest := h.ProjectMember(w.project, model.Guest)
	expect(t, guest.Send("GET", in+"/merge_requests", ""), 403, "")
	expect(t, w.developer.Send("GET", w.path+"/milestones/99999/merge_requests", ""), 404, "")
	w.set(map[string]any{"issues_access_level": model.FeatureDisabled})
	expect(t, w.developer.Send("GET", in+"/issues", ""), 403, "")
	simple := w.developer.Send("GET", w.mrs+"?view=simple&state=opened", "")
	if rows := read[[]map[string]any](t, simple, 200); len(rows) != 2 || len(rows[0]) != 9 || rows[0]["title"] != "b1" {
		t.Errorf("%s", simple.Body)
	}
	h.Golden("listProjectMergeRequests/simple", simple.Body)
	expect(t, w.developer.Send("GET", w.mrs+"?view=small", ""), 400, "")
	for _, query := range []string{"not[iids]=1", "not[iids][]=1", "not[iids][]=1&not[iids][]=7"} {
		if got := titles(t, w.developer.Send("GET", w.mrs+"?"+query, "")); got != "b1" {
			t.Errorf("%s: %s", query, got)
		}
	}
	w.set(map[string]any{"merge_requests_access_level": model.FeatureDisabled})
	for _, rest := range []string{"", "/notes", "/approvals", "/time_stats", "/award_emoji"} {
		expect(t, w.developer.Send("GET", w.at(1, rest), ""), 403, `{"message":"403 Forbidden"}`)
	}
	for _, rest := range []string{"/subscribe", "/approve", "/todo"} {
		expect(t, w.developer.Send("POST", w.at(1, rest), ""), 403, "")
	}
	expect(t, w.maintainer.JSON("PUT", w.at(1, "/merge"), `{}`), 403, "")
}

func TestDeletionsLeaveNoRows(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newNotesProject(t, h, model.Public)
	user, root := h.NewUser(), h.Root()
	for _, path := range []string{w.onIssue, w.onRequest} {
		made := read[note](t, user.JSON("POST", path+"/notes", `{"body":"x"}`), 201)
		expect(t, user.JSON("POST", fmt.Sprintf("%s/notes/%d/award_emoji", path, made.ID), `{"name":"tada"}`), 201, "")
		expect(t, user.JSON("POST", path+"/award_emoji", `{"name":"thumbsup"}`), 201, "")
		expect(t, w.owner.JSON("POST", path+"/award_emoji", `{"name":"thumbsup"}`), 201, "")
		expect(t, user.JSON("POST", path+"/notes", `{"body":"/unsubscribe"}`), 202, "")
		expect(t, w.owner.JSON("POST", path+"/notes", `{"body":"/spend 1h\n/unsubscribe"}`), 202, "")
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/users/%d?hard_delete=true", user.User.ID), ""), 204, "")
	waitForQueue(t, h)
	for _, table := range []string{"issues", "merge_requests"} {
		if n := count(t, h, "SELECT upvotes FROM "+table); n != 1 {
			t.Errorf("%d thumbs on %s", n, table)
		}
	}
	if n := count(t, h, "SELECT count(*) FROM award_emoji"); n != 2 {
		t.Errorf("%d emoji", n)
	}
	expect(t, w.owner.Send("DELETE", fmt.Sprintf("/projects/%d", w.project.ID), ""), 202, "")
	waitForQueue(t, h)
	for _, table := range []string{"award_emoji", "subscriptions", "timelogs", "notes", "todos"} {
		if n := count(t, h, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
}
