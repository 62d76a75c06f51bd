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

// labelFixture is a project in a group, with the paths of the labels of both.
type labelFixture struct {
	h               *harness.H
	reporter, guest *harness.Caller
	project, group  string
}

func newLabelFixture(t *testing.T) labelFixture {
	t.Helper()
	h := harness.New(t)
	g := h.Group()
	p := h.Project(g.ID)
	return labelFixture{
		h: h, reporter: h.Member(g, model.Reporter), guest: h.Member(g, model.Guest),
		project: fmt.Sprintf("/projects/%d/labels", p.ID), group: fmt.Sprintf("/groups/%d/labels", g.ID),
	}
}

// create creates a label in the project or the group.
func (f labelFixture) create(t *testing.T, path, body string) {
	t.Helper()
	expect(t, f.reporter.JSON("POST", path, body), 201, "")
}

func TestLabelsAreCreated(t *testing.T) {
	t.Parallel()
	f := newLabelFixture(t)
	made := f.reporter.JSON("POST", f.project, `{"name":"bug","color":"red","description":"<b>","priority":3}`)
	f.h.Golden("createProjectLabel/label", made.Body)
	bug := read[label](t, made, 201)
	if bug.Color != "#ff0000" || bug.Priority == nil || *bug.Priority != 3 || bug.Own == nil || !*bug.Own {
		t.Errorf("%+v", bug)
	}
	for body, want := range map[string]string{
		`{"name":"a,b","color":"#fff"}`:                              `{"message":{"title":["is invalid"]}}`,
		`{"name":"a","color":"javascript:1"}`:                        `{"message":{"color":["must be a valid color code"]}}`,
		`{"name":"` + strings.Repeat("a", 256) + `","color":"#fff"}`: "",
	} {
		expect(t, f.reporter.JSON("POST", f.project, body), 400, want)
	}
	expect(t, f.reporter.JSON("POST", f.project, `{"name":"bug","color":"#fff"}`), 409,
		`{"message":"Label already exists"}`)
	expect(t, f.guest.JSON("POST", f.project, `{"name":"a","color":"#fff"}`), 403, "")
}

func TestLabelsAreListedAndRead(t *testing.T) {
	t.Parallel()
	f := newLabelFixture(t)
	bug := read[label](t, f.reporter.JSON("POST", f.project, `{"name":"bug","color":"red"}`), 201)
	f.create(t, f.group, `{"name":"wide","color":"#fff"}`)
	rows := read[[]label](t, f.guest.Send("GET", f.project+"?with_counts=true", ""), 200)
	if len(rows) != 2 || rows[0].Name != "bug" || rows[1].Name != "wide" || *rows[1].Own || *rows[0].Open != 0 ||
		rows[1].TextColor != "#1F1E24" {
		t.Errorf("%+v", rows)
	}
	rows = read[[]label](t, f.guest.Send("GET", f.project+"?include_ancestor_groups=false&search=BU", ""), 200)
	if len(rows) != 1 {
		t.Errorf("%+v, want one label", rows)
	}
	for _, path := range []string{
		f.project + "/bug", fmt.Sprintf("%s/%d", f.project, bug.ID), f.group, f.group + "/wide",
	} {
		expect(t, f.guest.Send("GET", path, ""), 200, "")
	}
	expect(t, f.guest.Send("GET", f.project+"/none", ""), 404, `{"message":"404 Label Not Found"}`)
	expect(t, f.h.NewUser().Send("GET", f.project, ""), 404, `{"message":"404 Project Not Found"}`)
}

func TestLabelsAreChangedAndPromoted(t *testing.T) {
	t.Parallel()
	f := newLabelFixture(t)
	f.create(t, f.project, `{"name":"bug","color":"red","priority":3}`)
	f.create(t, f.group, `{"name":"wide","color":"#fff"}`)
	changed := read[label](t, f.reporter.JSON("PUT", f.project+"/bug", `{"new_name":"defect","priority":null}`), 200)
	if changed.Name != "defect" || changed.Priority != nil {
		t.Errorf("%+v", changed)
	}
	wide := read[label](t, f.reporter.JSON("PUT", f.project+"/wide", `{"priority":0}`), 200)
	if wide.Priority == nil || *wide.Priority != 0 {
		t.Errorf("%+v", wide)
	}
	expect(t, f.reporter.JSON("PUT", f.project+"/wide", `{"new_name":"x"}`), 404, "")
	expect(t, f.reporter.JSON("PUT", f.project+"/defect", `{}`), 400, "")
	expect(t, f.reporter.JSON("PUT", f.project, `{"name":"defect","color":"#123456"}`), 200, "")
	expect(t, f.reporter.JSON("PUT", f.group, `{"label_id":"wide","new_name":"broad"}`), 200, "")
	expect(t, f.reporter.JSON("PUT", f.group+"/broad", `{"description":"all"}`), 200, "")
	promoted := read[label](t, f.reporter.Send("PUT", f.project+"/defect/promote", ""), 200)
	if *promoted.Own || promoted.Name != "defect" {
		t.Errorf("%+v", promoted)
	}
	expect(t, f.reporter.Send("DELETE", f.group+"/defect", ""), 204, "")
	expect(t, f.reporter.Send("DELETE", f.group+"?name=broad", ""), 204, "")
}

func TestLabelsAreSubscribedToAndDeleted(t *testing.T) {
	t.Parallel()
	f := newLabelFixture(t)
	f.create(t, f.group, `{"name":"broad","color":"#fff"}`)
	expect(t, f.guest.Send("POST", f.project+"/broad/subscribe", ""), 201, "")
	expect(t, f.guest.Send("POST", f.project+"/broad/subscribe", ""), 304, "")
	if got := read[label](t, f.guest.Send("GET", f.group+"/broad", ""), 200); !got.Subscribed {
		t.Errorf("%+v", got)
	}
	expect(t, f.guest.Send("POST", f.group+"/broad/unsubscribe", ""), 201, "")
	expect(t, f.guest.Send("POST", f.project+"/broad/unsubscribe", ""), 304, "")
	expect(t, f.guest.Send("POST", f.group+"/broad/subscribe", ""), 201, "")
	expect(t, f.guest.Send("POST", f.project+"/broad/unsubscribe", ""), 201, "")

	f.create(t, f.project, `{"name":"a","color":"#fff"}`)
	const past = "Mon, 01 Jan 2001 00:00:00 GMT"
	expect(t, f.reporter.Send("DELETE", f.project+"/a", "", "If-Unmodified-Since", past), 412, "")
	expect(t, f.reporter.Send("DELETE", f.project+"/a", ""), 204, "")
	f.create(t, f.project, `{"name":"b","color":"#fff"}`)
	expect(t, f.reporter.Send("DELETE", f.project+"?label_id=b", ""), 204, "")
	expect(t, f.reporter.Send("DELETE", f.project, ""), 400, "")
}
