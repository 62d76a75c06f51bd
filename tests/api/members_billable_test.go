package api

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// billable lists the people of a group, each with the way in which they take part.
func billable(t *testing.T, c *harness.Caller, path string) string {
	t.Helper()
	var all []string
	for _, row := range read[[]struct {
		ID        int64
		Type      string `json:"membership_type"`
		Removable bool
		Last      bool `json:"is_last_owner"`
	}](t, c.Send("GET", path, ""), 200) {
		all = append(all, fmt.Sprintf("%d %s %v %v", row.ID, row.Type, row.Removable, row.Last))
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}

func TestThePeopleOfAGroupAreListedAndRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group, guests := h.Group(), h.Group()
	sub := h.Group(func(g *model.Namespace) { g.ParentID = &group.ID })
	p := h.Project(sub.ID)
	owner, below, inProject, invited := h.NewUser(), h.NewUser(), h.NewUser(), h.NewUser()
	h.Join(group, owner.User, model.Owner)
	h.Join(sub, below.User, model.Developer)
	h.JoinProject(p, inProject.User, model.Guest)
	h.Join(guests, invited.User, model.Developer)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/projects/%d/share", p.ID),
		fmt.Sprintf(`{"group_id":%d,"group_access":30}`, guests.ID)), 201, "")
	path := fmt.Sprintf("/groups/%d/billable_members", group.ID)
	want := []string{
		fmt.Sprintf("%d group_member true true", owner.User.ID), fmt.Sprintf("%d group_member true false", below.User.ID),
		fmt.Sprintf("%d project_member true false", inProject.User.ID), fmt.Sprintf("%d project_invite false false", invited.User.ID),
	}
	sort.Strings(want)
	if got := billable(t, owner, path); got != strings.Join(want, ", ") {
		t.Errorf("%s, want %s", got, strings.Join(want, ", "))
	}
	found := billable(t, owner, path+"?search="+below.User.Username+"&sort=last_activity_on_desc")
	if !strings.HasPrefix(found, fmt.Sprint(below.User.ID)) {
		t.Error(found)
	}
	one := fmt.Sprintf("%s/%d", path, below.User.ID)
	rows := read[[]struct {
		Source int64 `json:"source_id"`
		Role   struct {
			Value int64 `json:"integer_value"`
		} `json:"access_level"`
	}](t, owner.Send("GET", one+"/memberships", ""), 200)
	if len(rows) != 1 || rows[0].Source != sub.ID || rows[0].Role.Value != 30 {
		t.Errorf("%+v", rows)
	}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
		c := h.NewUser()
		h.Join(group, c.User, role)
		expect(t, c.Send("GET", path, ""), 403, "")
		expect(t, c.Send("DELETE", one, ""), 403, "")
		expect(t, c.Send("GET", one+"/memberships", ""), 403, "")
	}
	outsider := h.NewUser()
	expect(t, outsider.Send("GET", path, ""), 404, "")
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", path, outsider.User.ID), ""), 404, "")
	expect(t, owner.Send("GET", fmt.Sprintf("%s/%d/memberships", path, outsider.User.ID), ""), 404, "")
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", path, invited.User.ID), ""), 403, "")
	expect(t, owner.Send("GET", fmt.Sprintf("/groups/%d/billable_members", sub.ID), ""), 400, "")
	expect(t, owner.Send("DELETE", one, ""), 204, "")
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", path, inProject.User.ID), ""), 204, "")
	expect(t, below.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 404, "")
	expect(t, inProject.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 404, "")
	if got := owner.Send("DELETE", fmt.Sprintf("%s/%d", path, owner.User.ID), ""); got.Status < 400 {
		t.Errorf("the last owner is removed: %d", got.Status)
	}
}
