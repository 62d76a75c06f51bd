package api

import (
	"fmt"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestBoardsOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path, g.Name = "acme", "Acme" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path, p.Name = "web", "Web" })
	reporter, guest := h.Member(g, model.Reporter), h.Member(g, model.Guest)
	type list struct {
		ID, Position int64
		Label        label
	}
	for _, place := range []string{fmt.Sprintf("/projects/%d", p.ID), fmt.Sprintf("/groups/%d", g.ID)} {
		in := place + "/boards"
		var labels []label
		for _, name := range []string{"a", "b", "c"} {
			labels = append(labels, read[label](t, reporter.JSON("POST", place+"/labels", `{"name":"`+name+`","color":"#fff"}`), 201))
		}
		board := read[struct{ ID int64 }](t, reporter.JSON("POST", in, `{"name":"Development"}`), 201)
		expect(t, guest.JSON("POST", in, `{"name":"x"}`), 403, "")
		path := fmt.Sprintf("%s/%d", in, board.ID)
		expect(t, reporter.JSON("PUT", path, `{"name":"Work","hide_closed_list":true}`), 200, "")
		var lists []list
		for i, l := range labels {
			made := read[list](t, reporter.JSON("POST", path+"/lists", fmt.Sprintf(`{"label_id":%d}`, l.ID)), 201)
			if made.Position != int64(i) {
				t.Errorf("%+v", made)
			}
			lists = append(lists, made)
		}
		expect(t, reporter.JSON("POST", path+"/lists", fmt.Sprintf(`{"label_id":%d}`, labels[0].ID)), 400, "")
		expect(t, reporter.JSON("POST", path+"/lists", `{"label_id":999999}`), 400, `{"message":"Label not found!"}`)
		last := fmt.Sprintf("%s/lists/%d", path, lists[2].ID)
		if got := read[list](t, reporter.JSON("PUT", last, `{"position":0}`), 200); got.Position != 0 {
			t.Errorf("%+v", got)
		}
		expect(t, reporter.Send("DELETE", fmt.Sprintf("%s/lists/%d", path, lists[0].ID), ""), 204, "")
		rows := read[[]list](t, guest.Send("GET", path+"/lists", ""), 200)
		if len(rows) != 2 || rows[0].Label.Name != "c" || rows[1].Label.Name != "b" || rows[1].Position != 1 {
			t.Errorf("%+v", rows)
		}
		expect(t, guest.Send("GET", last, ""), 200, "")
		expect(t, guest.Send("GET", path+"/lists/999999", ""), 404, `{"message":"404 Not found"}`)
		shown := guest.Send("GET", path, "")
		expect(t, shown, 200, "")
		if place[1] == 'p' {
			h.Golden("getProjectBoard/board", shown.Body)
		}
		expect(t, guest.Send("GET", in, ""), 200, "")
		expect(t, guest.Send("DELETE", path, ""), 403, "")
		expect(t, reporter.Send("DELETE", path, ""), 204, "")
		expect(t, guest.Send("GET", path, ""), 404, "")
	}
}
