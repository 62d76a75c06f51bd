package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// customRole creates a custom role of the instance with one permission.
func customRole(t *testing.T, h *harness.H, name, permission string, base model.Access) int64 {
	t.Helper()
	return read[struct{ ID int64 }](t, h.Root().JSON("POST", "/member_roles",
		fmt.Sprintf(`{"name":%q,"base_access_level":%d,%q:true}`, name, base, permission)), 201).ID
}

func TestCustomRolesAreCreatedListedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	sub := h.Group(func(g *model.Namespace) { g.ParentID = &group.ID })
	owner := h.NewUser()
	h.Join(group, owner.User, model.Owner)
	for path, c := range map[string]*harness.Caller{
		"/member_roles": h.Root(), fmt.Sprintf("/groups/%d/member_roles", group.ID): owner,
	} {
		made := c.JSON("POST", path,
			`{"name":"Ops","description":"On call","base_access_level":20,"admin_web_hook":true,"read_code":false}`)
		id := read[struct{ ID int64 }](t, made, 201).ID
		if !strings.Contains(made.Body, `"admin_web_hook":true`) || !strings.Contains(made.Body, `"read_code":false`) ||
			!strings.Contains(made.Body, `"base_access_level":20`) {
			t.Error(made.Body)
		}
		expect(t, c.Send("GET", path, ""), 200, "["+made.Body+"]")
		for _, body := range []string{
			`{"name":"ops","base_access_level":20,"admin_web_hook":true}`, `{"name":"a","base_access_level":20}`,
			`{"name":" ","base_access_level":20,"admin_web_hook":true}`, `{"name":"a","admin_web_hook":true}`,
			`{"name":"a","base_access_level":50,"admin_web_hook":true}`, `{"base_access_level":20,"admin_web_hook":true}`,
		} {
			expect(t, c.JSON("POST", path, body), 400, "")
		}
		expect(t, c.JSON("POST", path,
			`{"name":"a","base_access_level":20,"admin_web_hook":true,"admin_vulnerability":true,"read_runners":true}`),
			400, `{"message":"These permissions are not supported: admin_vulnerability, read_runners"}`)
		expect(t, c.Send("GET", path, ""), 200, "["+made.Body+"]")
		expect(t, c.Send("DELETE", fmt.Sprintf("%s/%d", path, id), ""), 204, "")
		expect(t, c.Send("DELETE", fmt.Sprintf("%s/%d", path, id), ""), 404, "")
	}
	expect(t, owner.Send("GET", fmt.Sprintf("/groups/%d/member_roles", sub.ID), ""), 400, "")
	maintainer := h.NewUser()
	h.Join(group, maintainer.User, model.Maintainer)
	const role = `{"name":"b","base_access_level":20,"admin_web_hook":true}`
	for _, c := range []*harness.Caller{maintainer, owner, h.NewUser()} {
		expect(t, c.Send("GET", "/member_roles", ""), 403, "")
		expect(t, c.JSON("POST", "/member_roles", role), 403, "")
	}
	expect(t, maintainer.JSON("POST", fmt.Sprintf("/groups/%d/member_roles", group.ID), role), 403, "")
	expect(t, h.NewUser().JSON("POST", fmt.Sprintf("/groups/%d/member_roles", group.ID), role), 404, "")
	expect(t, h.Anonymous().Send("GET", "/member_roles", ""), 401, "")
}

func TestOwnersGiveCustomRolesToMembers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group, other := h.Group(), h.Group()
	p := h.Project(group.ID)
	owner, maintainer, user := h.NewUser(), h.NewUser(), h.NewUser()
	h.Join(group, owner.User, model.Owner)
	h.Join(group, maintainer.User, model.Maintainer)
	id := customRole(t, h, "Hooks", "admin_web_hook", model.Guest)
	foreign := read[struct{ ID int64 }](t, h.Root().JSON("POST", fmt.Sprintf("/groups/%d/member_roles", other.ID),
		`{"name":"a","base_access_level":10,"admin_web_hook":true}`), 201).ID
	path := fmt.Sprintf("/projects/%d/members", p.ID)
	body := fmt.Sprintf(`{"user_id":%d,"access_level":10,"member_role_id":%d}`, user.User.ID, id)
	expect(t, maintainer.JSON("POST", path, body), 403, "")
	expect(t, owner.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":20,"member_role_id":%d}`, user.User.ID, id)), 400, "")
	expect(t, owner.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":10,"member_role_id":%d}`, user.User.ID, foreign)), 404, "")
	expect(t, owner.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":10,"member_role_id":99999999}`, user.User.ID)), 404, "")
	if made := owner.JSON("POST", path, body); made.Status != 201 || !strings.Contains(made.Body, `"name":"Hooks"`) {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	hooks := fmt.Sprintf("/projects/%d/hooks", p.ID)
	expect(t, user.Send("GET", hooks, ""), 200, "[]")
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/member_roles/%d", id), ""), 400, "")
	one := fmt.Sprintf("%s/%d", path, user.User.ID)
	expect(t, maintainer.JSON("PUT", one, fmt.Sprintf(`{"access_level":10,"member_role_id":%d}`, id)), 403, "")
	if kept := owner.JSON("PUT", one, `{"access_level":10,"expires_at":"2099-01-01"}`); !strings.Contains(kept.Body, `"name":"Hooks"`) {
		t.Errorf("%d %s", kept.Status, kept.Body)
	}
	gone := owner.JSON("PUT", one, `{"access_level":10,"member_role_id":null}`)
	if gone.Status != 200 || strings.Contains(gone.Body, "Hooks") {
		t.Errorf("%d %s", gone.Status, gone.Body)
	}
	expect(t, user.Send("GET", hooks, ""), 403, "")
	expect(t, owner.JSON("PUT", one, fmt.Sprintf(`{"access_level":10,"member_role_id":%d}`, id)), 200, "")
	expect(t, user.Send("GET", hooks, ""), 200, "[]")
	if other := owner.JSON("PUT", one, `{"access_level":20}`); other.Status != 200 || strings.Contains(other.Body, "Hooks") {
		t.Errorf("another usual role: %d %s", other.Status, other.Body)
	}
	expect(t, user.Send("GET", hooks, ""), 403, "")
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/member_roles/%d", id), ""), 204, "")
}

// Each permission allows what it names, and nothing that another one names. Without a custom role, nothing is allowed.
func TestEachPermissionOfACustomRoleAllowsExactlyItsAbility(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	const tier = `{"name":"%s","deploy_access_levels":[{"access_level":40}]}`
	type call struct{ permission, method, path, body string }
	// The calls of one world: a group and a project. %[1]d is the group, %[2]d the project, %[3]d a user.
	calls := []call{
		{"admin_cicd_variables", "POST", "/projects/%[2]d/variables", `{"key":"A","value":"b"}`},
		{"admin_cicd_variables", "POST", "/groups/%[1]d/variables", `{"key":"A","value":"b"}`},
		{"admin_group_member", "POST", "/groups/%[1]d/members", `{"user_id":%[3]d,"access_level":10}`},
		{"admin_integrations", "PUT", "/projects/%[2]d/integrations/slack", `{"webhook":"https://ci.example.com/in"}`},
		{"admin_protected_environments", "POST", "/projects/%[2]d/protected_environments", fmt.Sprintf(tier, "a")},
		{"admin_protected_environments", "POST", "/groups/%[1]d/protected_environments", fmt.Sprintf(tier, "other")},
		{"admin_web_hook", "POST", "/projects/%[2]d/hooks", `{"url":"https://ci.example.com/hook"}`},
		{"admin_web_hook", "POST", "/groups/%[1]d/hooks", `{"url":"https://ci.example.com/hook"}`},
		{"manage_merge_request_settings", "POST", "/projects/%[2]d/approval_rules", `{"name":"a","approvals_required":0}`},
		{"read_code", "GET", "/projects/%[2]d/repository/branches", ""},
		{"archive_project", "POST", "/projects/%[2]d/archive", ""},
		{"archive_project", "POST", "/projects/%[2]d/unarchive", ""},
		{"remove_project", "DELETE", "/projects/%[2]d", ""},
		{"remove_group", "DELETE", "/groups/%[1]d", ""},
	}
	names := []string{""}
	for _, c := range calls {
		if names[len(names)-1] != c.permission {
			names = append(names, c.permission)
		}
	}
	for _, name := range names {
		group := h.Group()
		p := h.Project(group.ID)
		user, more := h.NewUser(), h.NewUser()
		role := ""
		if name != "" {
			role = fmt.Sprintf(`,"member_role_id":%d`, customRole(t, h, name, name, model.Guest))
		}
		expect(t, h.Root().JSON("POST", fmt.Sprintf("/groups/%d/members", group.ID),
			fmt.Sprintf(`{"user_id":%d,"access_level":10%s}`, user.User.ID, role)), 201, "")
		for _, c := range calls {
			fill := func(text string) string {
				values := []string{"%[1]d", fmt.Sprint(group.ID), "%[2]d", fmt.Sprint(p.ID), "%[3]d", fmt.Sprint(more.User.ID)}
				return strings.NewReplacer(values...).Replace(text)
			}
			got := user.JSON(c.method, fill(c.path), fill(c.body))
			if allowed := got.Status < 300; allowed != (c.permission == name) || !allowed && got.Status != 403 {
				t.Errorf("with %q, %s %s: %d %s", name, c.method, c.path, got.Status, got.Body)
			}
		}
	}
}

// A custom role of a member of a group holds in its subgroups and projects, and nowhere else. A role above the own one cannot
// be given with admin_group_member.
func TestACustomRoleHoldsBelowItsGroupOnly(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group, other := h.Group(), h.Group()
	sub := h.Group(func(g *model.Namespace) { g.ParentID = &group.ID })
	inside, outside := h.Project(sub.ID), h.Project(other.ID)
	user, more := h.NewUser(), h.NewUser()
	id := customRole(t, h, "Hooks", "admin_web_hook", model.Reporter)
	members := customRole(t, h, "Members", "admin_group_member", model.Reporter)
	expect(t, h.Root().JSON("POST", fmt.Sprintf("/groups/%d/members", group.ID),
		fmt.Sprintf(`{"user_id":%d,"access_level":20,"member_role_id":%d}`, user.User.ID, id)), 201, "")
	h.Join(other, user.User, model.Reporter)
	expect(t, user.Send("GET", fmt.Sprintf("/projects/%d/hooks", inside.ID), ""), 200, "[]")
	expect(t, user.Send("GET", fmt.Sprintf("/groups/%d/hooks", sub.ID), ""), 200, "[]")
	expect(t, user.Send("GET", fmt.Sprintf("/projects/%d/hooks", outside.ID), ""), 403, "")
	expect(t, user.Send("GET", fmt.Sprintf("/groups/%d/hooks", other.ID), ""), 403, "")
	expect(t, h.Root().JSON("PUT", fmt.Sprintf("/groups/%d/members/%d", other.ID, user.User.ID),
		fmt.Sprintf(`{"access_level":20,"member_role_id":%d}`, members)), 200, "")
	path := fmt.Sprintf("/groups/%d/members", other.ID)
	expect(t, user.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":30}`, more.User.ID)), 403, "")
	expect(t, user.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":20,"member_role_id":%d}`, more.User.ID, members)), 403, "")
	expect(t, user.JSON("POST", path, fmt.Sprintf(`{"user_id":%d,"access_level":20}`, more.User.ID)), 201, "")
	expect(t, user.JSON("PUT", fmt.Sprintf("%s/%d", path, user.User.ID), `{"access_level":50}`), 403, "")
	archived := h.Project(group.ID)
	expect(t, h.Root().Send("POST", fmt.Sprintf("/projects/%d/archive", archived.ID), ""), 201, "")
	expect(t, user.JSON("POST", fmt.Sprintf("/projects/%d/hooks", archived.ID), `{"url":"https://ci.example.com/hook"}`), 403, "")
}
