package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// relatedEpic is a linked epic in a response.
type relatedEpic struct {
	IID    int64
	LinkID int64  `json:"related_epic_link_id"`
	Type   string `json:"link_type"`
}

// epicLink is a link in a response.
type epicLink struct {
	ID     int64
	Type   string `json:"link_type"`
	Source epic   `json:"source_epic"`
	Target epic   `json:"target_epic"`
}

// link returns the body of a link to an epic of the group.
func (w *epicWorld) link(iid int64, kind string) string {
	return fmt.Sprintf(`{"target_group_id":%d,"target_epic_iid":%d,"link_type":%q}`, w.group.ID, iid, kind)
}

func TestEpicsAreLinked(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	for _, title := range []string{"Hinges", "Locks", "Paint"} {
		expect(t, w.reporter.JSON("POST", w.in, fmt.Sprintf(`{"title":%q}`, title)), 201, "")
	}
	of := w.in + "/1/related_epics"
	expect(t, w.reporter.Send("GET", of, ""), 200, "[]")
	body := fmt.Sprintf(`{"target_group_id":%q,"target_epic_iid":2}`, w.group.FullPath)
	first := read[epicLink](t, w.reporter.JSON("POST", of, body), 201)
	if first.Type != "relates_to" || first.Source.IID != 1 || first.Target.IID != 2 {
		t.Errorf("%+v", first)
	}
	blocked := read[epicLink](t, w.reporter.JSON("POST", of, w.link(3, "is_blocked_by")), 201)
	if blocked.Type != "is_blocked_by" || blocked.Source.IID != 1 || blocked.Target.IID != 3 {
		t.Errorf("%+v", blocked)
	}
	expect(t, w.reporter.JSON("POST", w.in+"/4/related_epics", w.link(1, "is_blocked_by")), 201, "")
	if got := linkedEpics(t, w, of); got != "2 relates_to, 3 is_blocked_by, 4 blocks" {
		t.Error(got)
	}
	if got := linkedEpics(t, w, w.in+"/3/related_epics"); got != "1 blocks" {
		t.Error(got)
	}
	expect(t, w.reporter.JSON("POST", of, w.link(2, "blocks")), 409, `{"message":"Epic(s) already assigned"}`)
	expect(t, w.reporter.JSON("POST", w.in+"/2/related_epics", w.link(1, "relates_to")), 409, `{"message":"Epic(s) already assigned"}`)
	expect(t, w.reporter.JSON("POST", of, w.link(1, "relates_to")), 400, `{"message":"An epic cannot be linked to itself"}`)
	expect(t, w.reporter.JSON("POST", of, w.link(2, "likes")), 400, "")
	expect(t, w.reporter.JSON("POST", of, `{"target_epic_iid":2}`), 400, "")
	expect(t, w.reporter.JSON("POST", of, w.link(99, "relates_to")), 404, `{"message":"404 Not found"}`)
	expect(t, w.reporter.JSON("POST", of, `{"target_group_id":999999,"target_epic_iid":2}`), 404, `{"message":"404 Group Not Found"}`)
	notes := w.reporter.Send("GET", fmt.Sprintf("%s/%d/notes", w.in, w.epic.ID), "").Body
	for _, text := range []string{"as related to &2", "as blocked by &3", "as blocking &4"} {
		if !strings.Contains(strings.ReplaceAll(notes, `\u0026`, "&"), text) {
			t.Errorf("%s is missing in %s", text, notes)
		}
	}
	one := fmt.Sprintf("%s/%d", of, first.ID)
	expect(t, w.reporter.Send("DELETE", w.in+fmt.Sprintf("/3/related_epics/%d", first.ID), ""), 404, `{"message":"404 Not found"}`)
	expect(t, w.reporter.Send("DELETE", one, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	if got := read[epicLink](t, w.reporter.Send("DELETE", one, ""), 200); got.ID != first.ID || got.Target.IID != 2 {
		t.Errorf("%+v", got)
	}
	expect(t, w.reporter.Send("DELETE", one, ""), 404, `{"message":"404 Not found"}`)
	expect(t, w.reporter.Send("GET", w.in+"/2/related_epics", ""), 200, "[]")
	// A deleted epic leaves no links.
	expect(t, w.h.Root().Send("DELETE", w.in+"/3", ""), 204, "")
	if got := linkedEpics(t, w, of); got != "4 blocks" {
		t.Error(got)
	}
}

// linkedEpics lists linked epics with the types of their links.
func linkedEpics(t *testing.T, w *epicWorld, path string) string {
	t.Helper()
	var all []string
	for _, e := range read[[]relatedEpic](t, w.reporter.Send("GET", path, ""), 200) {
		all = append(all, fmt.Sprintf("%d %s", e.IID, e.Type))
	}
	return strings.Join(all, ", ")
}

func TestLinksOfEpicsNeedTheirAbilities(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	expect(t, w.reporter.JSON("POST", w.in, `{"title":"Hinges"}`), 201, "")
	expect(t, w.reporter.JSON("POST", w.in, `{"title":"Secret","confidential":true}`), 201, "")
	of := w.in + "/1/related_epics"
	open := read[epicLink](t, w.reporter.JSON("POST", of, w.link(2, "relates_to")), 201)
	expect(t, w.reporter.JSON("POST", of, w.link(3, "blocks")), 201, "")
	guest, outsider := w.h.Member(w.group, model.Guest), w.h.NewUser()
	all := fmt.Sprintf("/groups/%d/related_epic_links", w.group.ID)
	for _, caller := range []*harness.Caller{guest, outsider, w.h.Anonymous()} {
		if rows := read[[]relatedEpic](t, caller.Send("GET", of, ""), 200); len(rows) != 1 || rows[0].LinkID != open.ID {
			t.Errorf("%+v", rows)
		}
		if rows := read[[]epicLink](t, caller.Send("GET", all, ""), 200); len(rows) != 1 || rows[0].ID != open.ID {
			t.Errorf("%+v", rows)
		}
	}
	for _, caller := range []*harness.Caller{guest, outsider} {
		expect(t, caller.JSON("POST", of, w.link(2, "relates_to")), 403, `{"message":"403 Forbidden"}`)
	}
	expect(t, guest.Send("DELETE", fmt.Sprintf("%s/%d", of, open.ID), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.h.Anonymous().JSON("POST", of, w.link(2, "relates_to")), 401, "")
	// The reader of a note does not learn the name of a confidential epic.
	if notes := guest.Send("GET", fmt.Sprintf("%s/%d/notes", w.in, w.epic.ID), "").Body; !strings.Contains(notes, "blocking another epic") {
		t.Error(notes)
	}
	other := w.h.Group(func(g *model.Namespace) { g.Visibility = model.Private })
	far := fmt.Sprintf("/groups/%d/epics", other.ID)
	expect(t, w.h.Root().JSON("POST", far, `{"title":"Far"}`), 201, "")
	body := fmt.Sprintf(`{"target_group_id":%d,"target_epic_iid":1}`, other.ID)
	expect(t, w.reporter.JSON("POST", of, body), 404, `{"message":"404 Group Not Found"}`)
	link := read[epicLink](t, w.h.Root().JSON("POST", of, body), 201)
	expect(t, w.reporter.Send("DELETE", fmt.Sprintf("%s/%d", of, link.ID), ""), 404, `{"message":"404 Not found"}`)
	expect(t, outsider.Send("GET", far+"/1/related_epics", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, outsider.Send("GET", fmt.Sprintf("/groups/%d/related_epic_links", other.ID), ""), 404, `{"message":"404 Group Not Found"}`)
}

func TestTheLinksOfAGroupAreListed(t *testing.T) {
	t.Parallel()
	w := newEpicWorld(t)
	below := w.h.Group(func(g *model.Namespace) { g.ParentID = &w.group.ID })
	expect(t, w.reporter.JSON("POST", w.in, `{"title":"Hinges"}`), 201, "")
	expect(t, w.reporter.JSON("POST", fmt.Sprintf("/groups/%d/epics", below.ID), `{"title":"Below"}`), 201, "")
	first := read[epicLink](t, w.reporter.JSON("POST", w.in+"/2/related_epics", w.link(1, "is_blocked_by")), 201)
	second := read[epicLink](t, w.reporter.JSON("POST", w.in+"/1/related_epics",
		fmt.Sprintf(`{"target_group_id":%d,"target_epic_iid":1}`, below.ID)), 201)
	all := fmt.Sprintf("/groups/%d/related_epic_links", w.group.ID)
	for query, want := range map[string]string{
		"": fmt.Sprint(first.ID, second.ID), "?per_page=1": fmt.Sprint(first.ID), "?per_page=1&page=2": fmt.Sprint(second.ID),
		"?created_after=2999-01-01T00:00:00Z": "", "?updated_before=2001-01-01T00:00:00Z": "",
		"?created_before=2999-01-01T00:00:00Z&updated_after=2001-01-01T00:00:00Z": fmt.Sprint(first.ID, second.ID),
	} {
		var ids []any
		for _, l := range read[[]epicLink](t, w.reporter.Send("GET", all+query, ""), 200) {
			ids = append(ids, l.ID)
		}
		if got := fmt.Sprint(ids...); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	rows := read[[]epicLink](t, w.reporter.Send("GET", all, ""), 200)
	if rows[0].Type != "blocks" || rows[0].Source.IID != 1 || rows[0].Target.IID != 2 {
		t.Errorf("%+v", rows[0])
	}
	links := fmt.Sprintf("/groups/%d/related_epic_links", below.ID)
	if rows := read[[]epicLink](t, w.reporter.Send("GET", links, ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, w.reporter.Send("GET", all+"?pagination=keyset", ""), 405, "")
}
