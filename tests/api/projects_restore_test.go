package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// deletable is a project or group as far as its deletion is concerned.
type deletable struct {
	ID       int64
	Name     string
	Path     string
	FullPath string  `json:"full_path"`
	Archived *bool   `json:"archived"`
	On       *string `json:"marked_for_deletion_on"`
	At       *string `json:"marked_for_deletion_at"`
}

// delayDeletion makes deleted projects and groups wait for some days.
func delayDeletion(t *testing.T, h *harness.H, days int) {
	t.Helper()
	expect(t, h.Root().JSON("PUT", settings, fmt.Sprintf(`{"deletion_adjourned_period":%d}`, days)), 200, "")
}

func TestADeletedProjectIsMarkedRestoredAndDeletedInTheEnd(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	group := h.Group(at("acme"))
	p := h.Project(group.ID, called("web", model.Private))
	owner := h.ProjectMember(p, model.Owner)
	path := fmt.Sprintf("/projects/%d", p.ID)
	expect(t, owner.Send("POST", path+"/restore", ""), 400, `{"message":"Project has not been marked for deletion"}`)
	delayDeletion(t, h, 7)
	expect(t, owner.Send("DELETE", path+"?permanently_remove=true&full_path=acme/web", ""), 400,
		`{"message":"Project must be marked for deletion first."}`)
	expect(t, owner.Send("DELETE", path, ""), 202, `{"message":"202 Accepted"}`)
	today := h.Store.Clock().Now().UTC().Format("2006-01-02")
	got := read[deletable](t, owner.Send("GET", path, ""), 200)
	if got.Path != fmt.Sprintf("web-deletion_scheduled-%d", p.ID) || !strings.HasPrefix(got.Name, "web-deletion_scheduled-") ||
		!*got.Archived || *got.On != today || *got.At != today {
		t.Errorf("%+v", got)
	}
	if rows := read[[]deletable](t, owner.Send("GET", "/projects?membership=true", ""), 200); len(rows) != 1 || rows[0].On == nil {
		t.Errorf("%+v", rows)
	}
	// It is read-only.
	expect(t, owner.JSON("POST", path+"/issues", `{"title":"x"}`), 403, "")
	expect(t, owner.JSON("PUT", path, `{"name":"x"}`), 403, "")
	expect(t, owner.Send("POST", path+"/unarchive", ""), 400, `{"message":"The project is marked for deletion. Restore it first"}`)
	expect(t, owner.Send("DELETE", path, ""), 400, `{"message":"Project has been already marked for deletion"}`)
	for _, who := range []*harness.Caller{h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Guest)} {
		expect(t, who.Send("POST", path+"/restore", ""), 403, `{"message":"403 Forbidden"}`)
	}
	expect(t, h.NewUser().Send("POST", path+"/restore", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().Send("POST", path+"/restore", ""), 401, `{"message":"401 Unauthorized"}`)
	// Others can use its path, and then it cannot be restored.
	other := read[deletable](t, h.Root().JSON("POST", "/projects", fmt.Sprintf(`{"name":"web","namespace_id":%d}`, group.ID)), 201)
	expect(t, owner.Send("POST", path+"/restore", ""), 400,
		`{"message":{"name":["has already been taken"],"path":["has already been taken"]}}`)
	expect(t, h.Root().JSON("PUT", fmt.Sprintf("/projects/%d", other.ID), `{"name":"other","path":"other"}`), 200, "")
	back := read[deletable](t, owner.Send("POST", path+"/restore", ""), 201)
	if back.Path != "web" || back.Name != "web" || *back.Archived || back.On != nil || back.At != nil {
		t.Errorf("%+v", back)
	}
	expect(t, owner.JSON("POST", path+"/issues", `{"title":"x"}`), 201, "")
	forward(t, h, 8*day)
	expect(t, owner.Send("GET", path, ""), 200, "")
	// An archived project stays archived after its restoration.
	expect(t, owner.Send("POST", path+"/archive", ""), 201, "")
	expect(t, owner.Send("DELETE", path, ""), 202, "")
	if back = read[deletable](t, owner.Send("POST", path+"/restore", ""), 201); !*back.Archived {
		t.Errorf("%+v", back)
	}
	expect(t, owner.Send("DELETE", path, ""), 202, "")
	forward(t, h, 6*day)
	expect(t, owner.Send("GET", path, ""), 200, "")
	forward(t, h, 2*day)
	expect(t, owner.Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
}

func TestAMarkedProjectIsDeletedAtOnceWithItsFullPath(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	path := fmt.Sprintf("/projects/%d", p.ID)
	delayDeletion(t, h, 1)
	expect(t, h.Root().Send("DELETE", path, ""), 202, "")
	wrong := "{\"message\":\"`full_path` is incorrect. You must enter the complete path for the project.\"}"
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true", ""), 400, wrong)
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true&full_path=acme/web", ""), 400, wrong)
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=perhaps", ""), 400, `{"error":"permanently_remove is invalid"}`)
	full := fmt.Sprintf("acme/web-deletion_scheduled-%d", p.ID)
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true&full_path="+full, ""), 202, "")
	expect(t, h.Root().Send("GET", path, ""), 404, "")
	for _, days := range []string{"-1", "91", `"x"`} {
		expect(t, h.Root().JSON("PUT", settings, `{"deletion_adjourned_period":`+days+`}`), 400, "")
	}
}

func TestADeletedGroupIsMarkedWithItsContentsAndRestored(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	group := h.Group(at("acme"))
	below := h.Group(at("tools"), func(g *model.Namespace) { g.ParentID = &group.ID })
	p := h.Project(below.ID, called("web", model.Private))
	alone := h.Project(group.ID, called("alone", model.Private))
	old := h.Project(group.ID, called("old", model.Private), func(p *model.Project) { p.Archived = true })
	owner := h.Member(group, model.Owner)
	path := fmt.Sprintf("/groups/%d", group.ID)
	expect(t, owner.Send("POST", path+"/restore", ""), 400, `{"message":"Group has not been marked for deletion"}`)
	delayDeletion(t, h, 3)
	expect(t, owner.Send("DELETE", fmt.Sprintf("/projects/%d", alone.ID), ""), 202, "")
	expect(t, owner.Send("DELETE", path, ""), 202, `{"message":"202 Accepted"}`)
	expect(t, owner.Send("DELETE", path, ""), 400, `{"message":"Group has been already marked for deletion"}`)
	today := h.Store.Clock().Now().UTC().Format("2006-01-02")
	full := fmt.Sprintf("acme-deletion_scheduled-%d", group.ID)
	for address, want := range map[string]string{
		path: full, fmt.Sprintf("/groups/%d", below.ID): full + "/tools", fmt.Sprintf("/projects/%d", p.ID): "",
		fmt.Sprintf("/projects/%d", old.ID): "",
	} {
		if got := read[deletable](t, owner.Send("GET", address, ""), 200); got.FullPath != want || got.On == nil || *got.On != today {
			t.Errorf("%s: %+v", address, got)
		}
	}
	// Nothing in it can be changed, added or restored alone.
	expect(t, owner.JSON("PUT", path, `{"name":"x"}`), 403, `{"message":"403 Forbidden - The group is marked for deletion"}`)
	expect(t, owner.JSON("POST", path+"/labels", `{"name":"x","color":"#fff"}`), 403, "")
	expect(t, owner.JSON("POST", "/groups", fmt.Sprintf(`{"name":"x","path":"x","parent_id":%d}`, group.ID)), 403, "")
	expect(t, owner.JSON("POST", "/projects", fmt.Sprintf(`{"name":"x","namespace_id":%d}`, below.ID)), 403, "")
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID), `{"title":"x"}`), 403, "")
	expect(t, owner.Send("POST", fmt.Sprintf("/groups/%d/restore", below.ID), ""), 400,
		`{"message":"The group above is marked for deletion. Restore it first"}`)
	expect(t, owner.Send("POST", fmt.Sprintf("/projects/%d/restore", p.ID), ""), 400,
		`{"message":"The group of the project is marked for deletion. Restore the group first"}`)
	expect(t, h.Member(group, model.Maintainer).Send("POST", path+"/restore", ""), 403, "")
	expect(t, h.Anonymous().Send("POST", path+"/restore", ""), 401, "")
	back := read[deletable](t, owner.Send("POST", path+"/restore", ""), 201)
	if back.Path != "acme" || back.On != nil {
		t.Errorf("%+v", back)
	}
	for id, want := range map[int64][2]bool{p.ID: {false, false}, old.ID: {true, false}, alone.ID: {true, true}} {
		got := read[deletable](t, owner.Send("GET", fmt.Sprintf("/projects/%d", id), ""), 200)
		if *got.Archived != want[0] || (got.On != nil) != want[1] {
			t.Errorf("%+v", got)
		}
	}
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/issues", p.ID), `{"title":"x"}`), 201, "")
	expect(t, owner.Send("DELETE", path, ""), 202, "")
	forward(t, h, 4*day)
	expect(t, owner.Send("GET", path, ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 404, "")
}

func TestAGroupIsDeletedAtOnceWithItsFullPath(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	path := fmt.Sprintf("/groups/%d", group.ID)
	delayDeletion(t, h, 1)
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true&full_path=acme", ""), 400,
		`{"message":"Group must be marked for deletion first."}`)
	expect(t, h.Root().Send("DELETE", path, ""), 202, "")
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true&full_path=acme", ""), 400,
		"{\"message\":\"`full_path` is incorrect. You must enter the complete path for the group.\"}")
	full := fmt.Sprintf("acme-deletion_scheduled-%d", group.ID)
	expect(t, h.Root().Send("DELETE", path+"?permanently_remove=true&full_path="+full, ""), 202, "")
	expect(t, h.Root().Send("GET", path, ""), 404, "")
	// Without a period, everything is deleted at once.
	other := h.Group(at("other"))
	delayDeletion(t, h, 0)
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/groups/%d", other.ID), ""), 202, "")
	expect(t, h.Root().Send("GET", fmt.Sprintf("/groups/%d", other.ID), ""), 404, "")
}
