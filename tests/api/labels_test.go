package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// label is a label in a response.
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
	if len(rows) != 2 || rows[0].Name != "bug" || rows[1].Name != "wide" || *rows[1].Own || *rows[0].Open != 0 ||
		rows[1].TextColor != "#1F1E24" {
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

	if got := read[label](t, reporter.JSON("PUT", in+"/bug", `{"new_name":"defect","priority":null}`), 200); got.Name != "defect" ||
		got.Priority != nil {
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
