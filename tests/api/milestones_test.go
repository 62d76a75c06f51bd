package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMilestonesOfProjectsAndGroups(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	p := h.Project(g.ID, func(p *model.Project) { p.Path = "web" })
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
	for query, want := range map[string]int{
		"": 1, "?include_ancestors=true": 2, "?state=closed": 0, "?title=1.0": 1, "?search=1": 1, "?iids[]=7": 0,
	} {
		if rows := read[[]milestone](t, guest.Send("GET", in+query, ""), 200); len(rows) != want {
			t.Errorf("%s: %+v", query, rows)
		}
	}
	path := fmt.Sprintf("%s/%d", in, one.ID)
	if got := read[milestone](t, reporter.JSON("PUT", path, `{"state_event":"close","due_date":null}`), 200); got.State != "closed" ||
		got.DueDate != nil {
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
