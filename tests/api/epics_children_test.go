package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
)

func TestEpicsHaveChildren(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	of := w.in + "/1/epics"
	var ids []int64
	for _, title := range []string{"one", "two"} {
		ids = append(ids, read[epic](t, w.reporter.JSON("POST", of, `{"title":"`+title+`"}`), 201).ID)
	}
	loose := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"three"}`), 201)
	got := read[epic](t, w.reporter.Send("POST", fmt.Sprintf("%s/%d", of, loose.ID), ""), 201)
	if got.ParentID == nil || *got.ParentID != w.epic.ID {
		t.Errorf("%+v", got)
	}
	ids = append(ids, loose.ID)
	list := func() string { return epicTitles(read[[]epic](t, w.reporter.Send("GET", of, ""), 200)) }
	if got := list(); got != "one two three" {
		t.Error(got)
	}
	moved := w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), fmt.Sprintf(`{"move_before_id":%d}`, ids[1]))
	if got := epicTitles(read[[]epic](t, moved, 200)); got != "one three two" {
		t.Error(got)
	}
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), `{}`), 400, "")
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", of, ids[2]), `{"move_after_id":999999}`), 404, "")
	for _, c := range []struct {
		path string
		want int
	}{
		{fmt.Sprintf("%s/%d", of, ids[0]), 409},                // already a child
		{fmt.Sprintf("%s/%d", of, w.epic.ID), 400},             // itself
		{fmt.Sprintf("%s/2/epics/%d", w.in, w.epic.ID), 400},   // its own parent
		{fmt.Sprintf("%s/999999", of), 404},                    // nothing
		{fmt.Sprintf("%s/999999/epics/%d", w.in, ids[0]), 404}, // nothing
	} {
		expect(t, w.reporter.Send("POST", c.path, ""), c.want, "")
	}
	guest := w.h.Member(w.group, model.Guest)
	expect(t, guest.JSON("POST", of, `{"title":"x"}`), 403, "")
	expect(t, guest.Send("POST", fmt.Sprintf("%s/%d", of, loose.ID), ""), 403, "")
	expect(t, guest.Send("GET", of, ""), 200, "")
	left := read[epic](t, w.reporter.Send("DELETE", fmt.Sprintf("%s/%d", of, ids[1]), ""), 200)
	if left.ParentID != nil || list() != "one three" {
		t.Errorf("%+v %s", left, list())
	}
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/%d", of, ids[1]), ""), 404, "")
	expect(t, w.h.Root().Send("DELETE", w.in+"/1", ""), 204, "")
	if got := read[epic](t, w.reporter.Send("GET", w.in+"/2", ""), 200); got.ParentID != nil {
		t.Errorf("%+v", got)
	}
}

func TestEpicsAreNestedToALimit(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	parent := w.epic
	for level := 2; level <= 7; level++ {
		parent = read[epic](t, w.reporter.JSON("POST", w.in, fmt.Sprintf(`{"title":"%d","parent_id":%d}`, level, parent.ID)), 201)
	}
	before := w.reporter.Send("GET", w.in, "").Body
	refused := w.reporter.JSON("POST", w.in, fmt.Sprintf(`{"title":"8","parent_id":%d}`, parent.ID))
	expect(t, refused, 400, "")
	if !strings.Contains(refused.Body, "7 levels") || w.reporter.Send("GET", w.in, "").Body != before {
		t.Error(refused.Body)
	}
	// A tree of two levels does not fit below the sixth level.
	tree := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"tree"}`), 201)
	expect(t, w.reporter.JSON("POST", fmt.Sprintf("%s/%d/epics", w.in, tree.IID), `{"title":"leaf"}`), 201, "")
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", w.in, tree.IID), fmt.Sprintf(`{"parent_id":%d}`, *parent.ParentID)), 400, "")
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", w.in, tree.IID), fmt.Sprintf(`{"parent_id":%d}`, w.epic.ID)), 200, "")
	expect(t, w.reporter.JSON("PUT", fmt.Sprintf("%s/%d", w.in, tree.IID), `{"parent_id":null}`), 200, "")
}

func TestParentsRequireARoleInTheirGroup(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	other := w.h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	hidden := w.h.Group()
	root := w.h.Root()
	seen := read[epic](t, root.JSON("POST", fmt.Sprintf("/groups/%d/epics", other.ID), `{"title":"seen"}`), 201)
	unseen := read[epic](t, root.JSON("POST", fmt.Sprintf("/groups/%d/epics", hidden.ID), `{"title":"unseen"}`), 201)
	for id, want := range map[int64]int{seen.ID: 403, unseen.ID: 404} {
		expect(t, w.reporter.JSON("PUT", w.in+"/1", fmt.Sprintf(`{"parent_id":%d}`, id)), want, "")
		expect(t, w.reporter.JSON("POST", w.in, fmt.Sprintf(`{"title":"x","parent_id":%d}`, id)), want, "")
		expect(t, w.reporter.Send("POST", fmt.Sprintf("%s/1/epics/%d", w.in, id), ""), want, "")
	}
	// A parent that the reader does not see is not shown.
	expect(t, root.JSON("PUT", w.in+"/1", fmt.Sprintf(`{"parent_id":%d}`, unseen.ID)), 200, "")
	if got := read[epic](t, w.reporter.Send("GET", w.in+"/1", ""), 200); got.ParentID != nil {
		t.Errorf("%+v", got)
	}
	secret := read[epic](t, w.reporter.JSON("POST", w.in, `{"title":"secret","confidential":true}`), 201)
	child := read[epic](t, w.reporter.JSON("POST", fmt.Sprintf("%s/%d/epics", w.in, secret.IID), `{"title":"child"}`), 201)
	if !child.Confidential {
		t.Errorf("%+v", child)
	}
	expect(t, w.reporter.JSON("POST", fmt.Sprintf("%s/%d/epics", w.in, secret.IID), `{"title":"x","confidential":false}`), 400, "")
}
