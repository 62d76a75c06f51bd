package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// label is a label as an answer shows it.
type label struct {
	ID         int64
	Name       string
	Color      string
	TextColor  string `json:"text_color"`
	Priority   *int64
	Subscribed bool
	Own        *bool  `json:"is_project_label"`
	Open       *int64 `json:"open_issues_count"`
	Closed     *int64 `json:"closed_issues_count"`
}

func TestLabelsOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	reporter, guest := h.Member(g, model.Reporter), h.Member(g, model.Guest)
	in, above := fmt.Sprintf("/projects/%d/labels", p.ID), fmt.Sprintf("/groups/%d/labels", g.ID)

	made := reporter.JSON("POST", in, `{"name":"bug","color":"red","description":"<b>","priority":3}`)
	expect(t, made, 201, "")
	h.Golden("createProjectLabel/label", made.Body)
	bug := read[label](t, made, 201)
	if bug.Color != "#ff0000" || bug.Priority == nil || *bug.Priority != 3 || bug.Own == nil || !*bug.Own {
		t.Errorf("%+v", bug)
	}
	expect(t, reporter.JSON("POST", in, `{"name":"bug","color":"#fff"}`), 409, `{"message":"Label already exists"}`)
	expect(t, reporter.JSON("POST", in, `{"name":"a,b","color":"#fff"}`), 400, `{"message":{"title":["is invalid"]}}`)
	expect(t, reporter.JSON("POST", in, `{"name":"a","color":"javascript:1"}`), 400, `{"message":{"color":["must be a valid color code"]}}`)
	expect(t, reporter.JSON("POST", in, `{"name":"`+strings.Repeat("a", 256)+`","color":"#fff"}`), 400, "")
	expect(t, guest.JSON("POST", in, `{"name":"a","color":"#fff"}`), 403, "")
	expect(t, reporter.JSON("POST", above, `{"name":"wide","color":"#fff"}`), 201, "")

	rows := read[[]label](t, guest.Send("GET", in+"?with_counts=true", ""), 200)
	if len(rows) != 2 || rows[0].Name != "bug" || rows[1].Name != "wide" || *rows[1].Own || *rows[0].Open != 0 || rows[1].TextColor != "#1F1E24" {
		t.Errorf("%+v", rows)
	}
	if rows := read[[]label](t, guest.Send("GET", in+"?include_ancestor_groups=false&search=BU", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, guest.Send("GET", in+"/bug", ""), 200, "")
	expect(t, guest.Send("GET", fmt.Sprintf("%s/%d", in, bug.ID), ""), 200, "")
	expect(t, guest.Send("GET", in+"/none", ""), 404, `{"message":"404 Label Not Found"}`)
	expect(t, guest.Send("GET", above, ""), 200, "")
	expect(t, guest.Send("GET", above+"/wide", ""), 200, "")

	if got := read[label](t, reporter.JSON("PUT", in+"/bug", `{"new_name":"defect","priority":null}`), 200); got.Name != "defect" || got.Priority != nil {
		t.Errorf("%+v", got)
	}
	if got := read[label](t, reporter.JSON("PUT", in+"/wide", `{"priority":0}`), 200); got.Priority == nil || *got.Priority != 0 {
		t.Errorf("%+v", got)
	}
	expect(t, reporter.JSON("PUT", in+"/wide", `{"new_name":"x"}`), 404, "")
	expect(t, reporter.JSON("PUT", in+"/defect", `{}`), 400, "")
	expect(t, reporter.JSON("PUT", in, `{"name":"defect","color":"#123456"}`), 200, "")
	expect(t, reporter.JSON("PUT", above, `{"label_id":"wide","new_name":"broad"}`), 200, "")
	expect(t, reporter.JSON("PUT", above+"/broad", `{"description":"all"}`), 200, "")

	expect(t, guest.Send("POST", in+"/broad/subscribe", ""), 201, "")
	expect(t, guest.Send("POST", in+"/broad/subscribe", ""), 304, "")
	if got := read[label](t, guest.Send("GET", above+"/broad", ""), 200); !got.Subscribed {
		t.Errorf("%+v", got)
	}
	expect(t, guest.Send("POST", above+"/broad/unsubscribe", ""), 201, "")
	expect(t, guest.Send("POST", in+"/broad/unsubscribe", ""), 304, "")
	expect(t, guest.Send("POST", above+"/broad/subscribe", ""), 201, "")
	expect(t, guest.Send("POST", in+"/broad/unsubscribe", ""), 201, "")

	if got := read[label](t, reporter.Send("PUT", in+"/defect/promote", ""), 200); *got.Own || got.Name != "defect" {
		t.Errorf("%+v", got)
	}
	expect(t, reporter.Send("DELETE", above+"/defect", ""), 204, "")
	expect(t, reporter.Send("DELETE", above+"?name=broad", ""), 204, "")
	expect(t, reporter.JSON("POST", in, `{"name":"a","color":"#fff"}`), 201, "")
	expect(t, reporter.Send("DELETE", in+"/a", "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	expect(t, reporter.Send("DELETE", in+"/a", ""), 204, "")
	expect(t, reporter.JSON("POST", in, `{"name":"b","color":"#fff"}`), 201, "")
	expect(t, reporter.Send("DELETE", in+"?label_id=b", ""), 204, "")
	expect(t, reporter.Send("DELETE", in, ""), 400, "")
	expect(t, h.NewUser().Send("GET", in, ""), 404, `{"message":"404 Project Not Found"}`)
}

func TestMilestonesOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	reporter, guest := h.Member(g, model.Reporter), h.Member(g, model.Guest)
	in, above := fmt.Sprintf("/projects/%d/milestones", p.ID), fmt.Sprintf("/groups/%d/milestones", g.ID)
	type milestone struct {
		ID, IID int64
		Title   string
		State   string
		Expired bool
		GroupID *int64  `json:"group_id"`
		DueDate *string `json:"due_date"`
		WebURL  string  `json:"web_url"`
	}
	made := reporter.JSON("POST", in, `{"title":"1.0","due_date":"2030-05-01","start_date":"2030-01-01"}`)
	expect(t, made, 201, "")
	h.Golden("createProjectMilestone/milestone", made.Body)
	one := read[milestone](t, made, 201)
	expect(t, reporter.JSON("POST", in, `{"title":"1.0"}`), 400, "")
	expect(t, reporter.JSON("POST", in, `{"title":" "}`), 400, "")
	expect(t, reporter.JSON("POST", in, `{"title":"x","due_date":"2030-02-31"}`), 400, "")
	expect(t, reporter.JSON("POST", in, `{"title":"x","due_date":"2029-01-01","start_date":"2030-01-01"}`), 400, "")
	expect(t, guest.JSON("POST", in, `{"title":"x"}`), 403, "")
	wide := read[milestone](t, reporter.JSON("POST", above, `{"title":"2.0","due_date":"2001-01-01"}`), 201)
	if wide.GroupID == nil || !wide.Expired || !strings.Contains(wide.WebURL, "/groups/"+g.FullPath+"/-/milestones/1") {
		t.Errorf("%+v", wide)
	}
	for query, want := range map[string]int{"": 1, "?include_ancestors=true": 2, "?state=closed": 0, "?title=1.0": 1, "?search=1": 1, "?iids[]=7": 0} {
		if rows := read[[]milestone](t, guest.Send("GET", in+query, ""), 200); len(rows) != want {
			t.Errorf("%s: %+v", query, rows)
		}
	}
	path := fmt.Sprintf("%s/%d", in, one.ID)
	if got := read[milestone](t, reporter.JSON("PUT", path, `{"state_event":"close","due_date":null}`), 200); got.State != "closed" || got.DueDate != nil {
		t.Errorf("%+v", got)
	}
	expect(t, reporter.JSON("PUT", path, `{"state_event":"activate"}`), 200, "")
	expect(t, guest.Send("GET", path, ""), 200, "")
	expect(t, guest.Send("GET", in+"/999999", ""), 404, `{"message":"404 Not found"}`)
	expect(t, guest.Send("GET", fmt.Sprintf("%s/%d", above, wide.ID), ""), 200, "")
	expect(t, reporter.JSON("PUT", fmt.Sprintf("%s/%d", above, wide.ID), `{"title":"2.1"}`), 200, "")
	expect(t, guest.Send("GET", above, ""), 200, "")

	issues := fmt.Sprintf("/projects/%d/issues", p.ID)
	expect(t, reporter.JSON("POST", issues, fmt.Sprintf(`{"title":"open","milestone_id":%d}`, one.ID)), 201, "")
	expect(t, reporter.JSON("POST", issues, fmt.Sprintf(`{"title":"secret","milestone_id":%d,"confidential":true}`, one.ID)), 201, "")
	expect(t, reporter.JSON("POST", issues, `{"title":"x","milestone_id":999999}`), 400, "")
	for who, want := range map[*harness.Caller]int{reporter: 2, guest: 1} {
		if rows := read[[]issue](t, who.Send("GET", path+"/issues", ""), 200); len(rows) != want {
			t.Errorf("%d issues, want %d", len(rows), want)
		}
	}
	promoted := read[milestone](t, reporter.Send("POST", path+"/promote", ""), 200)
	if rows := read[[]issue](t, guest.Send("GET", fmt.Sprintf("%s/%d/issues", above, promoted.ID), ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, reporter.Send("DELETE", fmt.Sprintf("%s/%d", above, promoted.ID), ""), 204, "")
	last := read[milestone](t, reporter.JSON("POST", in, `{"title":"3.0"}`), 201)
	expect(t, guest.Send("DELETE", fmt.Sprintf("%s/%d", in, last.ID), ""), 403, "")
	expect(t, reporter.Send("DELETE", fmt.Sprintf("%s/%d", in, last.ID), ""), 204, "")
}
