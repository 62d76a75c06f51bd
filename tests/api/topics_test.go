package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type topicShown struct {
	ID          int64
	Name, Title string
	Description *string
	Projects    int64   `json:"total_projects_count"`
	Avatar      *string `json:"avatar_url"`
}

func TestTopicsAreThoseOfProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, g := h.Root(), h.Group()
	expect(t, h.Anonymous().Send("GET", "/topics", ""), 200, "[]")
	one, two := h.Project(g.ID, called("one", model.Private)), h.Project(g.ID, called("two", model.Private))
	set := func(p model.Project, topics string) {
		t.Helper()
		expect(t, root.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"topics":[`+topics+`]}`), 200, "")
	}
	set(one, `"Go","Web"`)
	set(two, `"go"`)
	all := read[[]topicShown](t, h.Anonymous().Send("GET", "/topics", ""), 200)
	if len(all) != 2 || all[0].Name != "Go" || all[0].Title != "Go" || all[0].Projects != 2 || all[1].Projects != 1 {
		t.Fatalf("%+v", all)
	}
	topicsOf := func(p model.Project, want string) {
		t.Helper()
		if got := fmt.Sprint(member(t, root.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), "topics")); got != want {
			t.Errorf("%s has %s, want %s", p.Path, got, want)
		}
	}
	at := fmt.Sprintf("/topics/%d", all[0].ID)
	renamed := read[topicShown](t, root.JSON("PUT", at, `{"name":"Golang","description":"Programs"}`), 200)
	if renamed.Name != "Golang" || renamed.Title != "Go" || renamed.Projects != 2 || *renamed.Description != "Programs" {
		t.Errorf("%+v", renamed)
	}
	topicsOf(one, "[Golang Web]")
	topicsOf(two, "[Golang]")
	merged := read[topicShown](t, root.JSON("POST", "/topics/merge",
		fmt.Sprintf(`{"source_topic_id":%d,"target_topic_id":%d}`, all[0].ID, all[1].ID)), 201)
	if merged.Name != "Web" || merged.Projects != 2 {
		t.Errorf("%+v", merged)
	}
	topicsOf(one, "[Web]")
	topicsOf(two, "[Web]")
	expect(t, root.Send("GET", at, ""), 404, `{"message":"404 Not found"}`)
	if rows := read[[]struct{ ID int64 }](t, root.Send("GET", "/projects?topic=web", ""), 200); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("/topics/%d", all[1].ID), ""), 204, "")
	topicsOf(one, "[]")
	expect(t, root.Send("GET", "/topics", ""), 200, "[]")
}

func TestATopicIsManagedByAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	made := read[topicShown](t, root.JSON("POST", "/topics", `{"name":"go","title":"Go","description":"Programs in Go"}`), 201)
	expect(t, root.Send("GET", fmt.Sprintf("/topics/%d", made.ID), ""), 200, fmt.Sprintf(`{"id":%d,"name":"go","title":"Go",`+
		`"description":"Programs in Go","total_projects_count":0,"organization_id":1,"avatar_url":null}`, made.ID))
	expect(t, root.JSON("POST", "/topics", `{"name":"GO","title":"x"}`), 400, `{"message":{"name":["has already been taken"]}}`)
	expect(t, root.JSON("POST", "/topics", `{"name":"x"}`), 400, `{"error":"title is missing"}`)
	expect(t, root.JSON("POST", "/topics", `{"title":"x"}`), 400, `{"error":"name is missing"}`)
	expect(t, root.JSON("POST", "/topics", `{"name":"a,b","title":"x"}`), 400, "")
	expect(t, root.JSON("POST", "/topics", `{"name":"  ","title":"x"}`), 400, "")
	other := read[topicShown](t, root.JSON("POST", "/topics", `{"name":"Rust","title":"Rust"}`), 201)
	expect(t, root.JSON("PUT", fmt.Sprintf("/topics/%d", other.ID), `{"name":"gO"}`), 400,
		`{"message":{"name":["has already been taken"]}}`)
	expect(t, root.JSON("POST", "/topics/merge", fmt.Sprintf(`{"source_topic_id":%d,"target_topic_id":%d}`, made.ID, made.ID)), 400,
		`{"message":"The source topic and the target topic are identical."}`)
	expect(t, root.JSON("POST", "/topics/merge", fmt.Sprintf(`{"source_topic_id":%d,"target_topic_id":99}`, made.ID)), 404, "")
	if rows := read[[]topicShown](t, root.Send("GET", "/topics?search=US&without_projects=true", ""), 200); len(rows) != 1 ||
		rows[0].Name != "Rust" {
		t.Errorf("%+v", rows)
	}
	at := fmt.Sprintf("/topics/%d", made.ID)
	gif := "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
		"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;"
	shown := read[topicShown](t, root.File("PUT", at, nil, "avatar", "a.gif", "image/gif", gif), 200)
	if shown.Avatar == nil {
		t.Fatal("the topic has no picture")
	}
	path := (*shown.Avatar)[len(h.URL):]
	if a := h.Anonymous().Send("GET", path, ""); a.Status != 200 || a.Body != gif {
		t.Errorf("%d %q", a.Status, a.Body)
	}
	expect(t, root.JSON("PUT", at, `{"avatar":"bm90IGEgcGljdHVyZQ=="}`), 400, "")
	if shown = read[topicShown](t, root.JSON("PUT", at, `{"avatar":""}`), 200); shown.Avatar != nil {
		t.Errorf("%+v", shown)
	}
	for _, c := range []struct {
		caller *harness.Caller
		status int
	}{{h.Anonymous(), 401}, {h.NewUser(), 403}} {
		expect(t, c.caller.JSON("POST", "/topics", `{"name":"x","title":"x"}`), c.status, "")
		expect(t, c.caller.JSON("PUT", at, `{"title":"x"}`), c.status, "")
		expect(t, c.caller.JSON("POST", "/topics/merge", `{"source_topic_id":1,"target_topic_id":2}`), c.status, "")
		expect(t, c.caller.Send("DELETE", at, ""), c.status, "")
		expect(t, c.caller.Send("GET", at, ""), 200, "")
	}
}
