package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func names(t *testing.T, a harness.Answer) string {
	t.Helper()
	if a.Status != 200 {
		t.Fatalf("answered %d %s", a.Status, a.Body)
	}
	var found []string
	for _, part := range strings.Split(a.Body, `"full_path":"`)[1:] {
		path, _, _ := strings.Cut(part, `"`)
		found = append(found, path)
	}
	return strings.Join(found, " ")
}

func at(path string) func(*model.Namespace) {
	return func(g *model.Namespace) { g.Path, g.Name = path, path }
}

func in(parent model.Namespace) func(*model.Namespace) {
	return func(g *model.Namespace) { g.ParentID = &parent.ID }
}

func seen(v model.Visibility) func(*model.Namespace) {
	return func(g *model.Namespace) { g.Visibility = v }
}

func TestGroupsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	top := owner.JSON("POST", "/groups", `{"name":"Acme","path":"acme","visibility":"public","description":"all of it"}`)
	expect(t, top, 201, "")
	h.Golden("createGroup/top", top.Body)
	child := owner.Form("POST", "/groups", "name=Web&path=web&parent_id=2&visibility=internal&lfs_enabled=no")
	expect(t, child, 201, "")
	h.Golden("createGroup/child", child.Body)
	expect(t, owner.Send("GET", "/groups/acme%2Fweb", ""), 200, child.Body)
	expect(t, owner.Send("GET", "/groups/ACME%2FWeb", ""), 200, child.Body)
	expect(t, owner.Send("GET", "/groups/3", ""), 200, child.Body)
	changed := owner.JSON("PUT", "/groups/acme", `{"path":"acme-inc","name":"Acme Inc"}`)
	expect(t, changed, 200, "")
	below := owner.Send("GET", "/groups/3", "")
	if !strings.Contains(below.Body, `"full_path":"acme-inc/web"`) || !strings.Contains(below.Body, `"full_name":"Acme Inc / Web"`) {
		t.Errorf("the group below is %s", below.Body)
	}
	expect(t, owner.Send("GET", "/groups/acme", ""), 404, `{"message":"404 Group Not Found"}`)
	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, owner.Send("DELETE", "/groups/2", "", "If-Unmodified-Since", old), 412, "")
	expect(t, owner.Send("DELETE", "/groups/2", ""), 202, `{"message":"202 Accepted"}`)
	expect(t, owner.Send("GET", "/groups/3", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, owner.JSON("POST", "/groups", `{"name":"Acme","path":"acme-inc"}`), 201, "")
}

func TestGroupRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(func(u *model.User) { u.Username = "taken-by-user" })
	private := h.Group(at("private"))
	h.Join(private, owner.User, model.Owner)
	for _, c := range []struct{ name, body, want string }{
		{"taken", `{"name":"x","path":"PRIVATE"}`, `{"message":"Failed to save group {:path=\u003e[\"has already been taken\"]}"}`},
		{
			"taken by a user", `{"name":"x","path":"taken-by-user"}`,
			`{"message":"Failed to save group {:path=\u003e[\"has already been taken\"]}"}`,
		},
		{"reserved", `{"name":"x","path":"api"}`, `{"message":"Failed to save group {:path=\u003e[\"api is a reserved name\"]}"}`},
		{"ends in .git", `{"name":"x","path":"a.git"}`, ""},
		{"ends in .ATOM", `{"name":"x","path":"a.ATOM"}`, ""},
		{"begins with a dash", `{"name":"x","path":"-a"}`, ""},
		{"slash", `{"name":"x","path":"a/b"}`, ""},
		{"look-alike", `{"name":"x","path":"аpi"}`, ""},
		{"blank name", `{"name":"  ","path":"a"}`, `{"message":"Failed to save group {:name=\u003e[\"can't be blank\"]}"}`},
		{"control character", `{"name":"a\u0007b","path":"a"}`, ""},
		{
			"more visible than its parent", `{"name":"x","path":"x","visibility":"public","parent_id":` + fmt.Sprint(private.ID) + `}`,
			`{"message":"Failed to save group {:visibility_level=\u003e[\"public is not allowed since the parent ` +
				`group has a private visibility.\"]}"}`,
		},
		{"unknown visibility", `{"name":"x","path":"x","visibility":"secret"}`, `{"error":"visibility does not have a valid value"}`},
		{"nothing", `{}`, `{"error":"name is missing, path is missing"}`},
		{"empty", `{"name":"","path":"x"}`, `{"error":"name is empty"}`},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, owner.JSON("POST", "/groups", c.body), 400, c.want) })
	}
	expect(t, owner.JSON("POST", "/groups", `{"name":"x","path":"x","parent_id":999999}`), 404, `{"message":"404 Group Not Found"}`)
	for _, who := range []*harness.Caller{h.NewUser(harness.External), h.NewUser(func(u *model.User) { u.CanCreateGroup = false })} {
		expect(t, who.JSON("POST", "/groups", `{"name":"x","path":"x"}`), 403, `{"message":"403 Forbidden"}`)
	}
	sub := `{"name":"x","path":"x","parent_id":` + fmt.Sprint(private.ID) + `}`
	expect(t, h.Member(private, model.Developer).JSON("POST", "/groups", sub), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Member(private, model.Maintainer).JSON("POST", "/groups", sub), 201, "")
	expect(t, owner.JSON("PUT", "/groups/private", `{"subgroup_creation_level":"owner"}`), 200, "")
	expect(t, h.Member(private, model.Maintainer).JSON("POST", "/groups", strings.ReplaceAll(sub, "x", "y")), 403, "")
	expect(t, owner.JSON("PUT", "/groups/private", `{"visibility":"public"}`), 200, "")
	expect(t, owner.JSON("PUT", "/groups/private%2Fx", `{"visibility":"public"}`), 200, "")
	expect(t, owner.JSON("PUT", "/groups/private", `{"visibility":"private"}`), 400,
		`{"message":"Failed to save group {:visibility_level=\u003e[\"private is not allowed since there are `+
			`sub-groups with higher visibility.\"]}"}`)
}

func TestGroupsNestTwentyLevelsDeepAndNeverInACircle(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	parent := ""
	for level := 1; level <= 20; level++ {
		got := root.JSON("POST", "/groups", fmt.Sprintf(`{"name":"g%d","path":"g%d"%s}`, level, level, parent))
		expect(t, got, 201, "")
		id, _, _ := strings.Cut(strings.TrimPrefix(got.Body, `{"id":`), ",")
		parent = `,"parent_id":` + id
	}
	expect(t, root.JSON("POST", "/groups", `{"name":"deep","path":"deep"`+parent+`}`), 400,
		`{"message":"Failed to save group {:parent_id=\u003e[\"has too deep level of nesting\"]}"}`)
	expect(t, root.JSON("POST", "/groups/g1/transfer", `{"group_id":3}`), 400,
		`{"message":"400 Bad request - Transfer failed: A group cannot be moved into itself or one of its subgroups."}`)
	expect(t, root.JSON("POST", "/groups/g1/transfer", `{"group_id":2}`), 400, "")
	other := h.Group(at("other"))
	expect(t, root.JSON("POST", "/groups/g1/transfer", fmt.Sprintf(`{"group_id":%d}`, other.ID)), 400,
		`{"message":"400 Bad request - Transfer failed: The group would be nested more than 20 levels deep."}`)
	moved := root.JSON("POST", "/groups/g1%2Fg2%2Fg3/transfer", fmt.Sprintf(`{"group_id":%d}`, other.ID))
	expect(t, moved, 201, "")
	if !strings.Contains(moved.Body, `"full_path":"other/g3"`) {
		t.Error(moved.Body)
	}
	expect(t, root.Send("GET", "/groups/other%2Fg3%2Fg4", ""), 200, "")
	if top := root.Send("POST", "/groups/other%2Fg3/transfer", ""); top.Status != 201 || !strings.Contains(top.Body, `"parent_id":null`) {
		t.Errorf("to the top: %d %s", top.Status, top.Body)
	}
}

func TestGroupsAreVisibleByRoleAndVisibility(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.Group(at("open"), seen(model.Public))
	h.Group(at("house"), seen(model.Internal))
	secret := h.Group(at("secret"))
	inner := h.Group(at("inner"), in(secret))
	h.Group(at("other"), in(secret))
	h.Group(at("deep"), in(inner))
	mate := h.Member(inner, model.Guest)
	list := "/groups?all_available=true&order_by=path"
	for who, c := range map[string]struct {
		caller *harness.Caller
		want   string
	}{
		"anonymous": {h.Anonymous(), "open"}, "external": {h.NewUser(harness.External), "open"}, "user": {h.NewUser(), "house open"},
		"member":        {mate, "secret/inner/deep house secret/inner open secret"},
		"administrator": {h.Root(), "secret/inner/deep house secret/inner open secret/other secret"},
	} {
		if got := names(t, c.caller.Send("GET", list, "")); got != c.want {
			t.Errorf("%s sees %q, want %q", who, got, c.want)
		}
	}
	for query, want := range map[string]string{
		"":                                    "secret/inner/deep secret/inner", // groups in which the caller has a role
		"?owned=true":                         "",
		"?min_access_level=10":                "secret/inner/deep secret/inner",
		"?min_access_level=20":                "",
		"?search=INN":                         "secret/inner/deep secret/inner",
		"?search=%25":                         "",
		"?all_available=1&visibility=public":  "open",
		"?all_available=yes&top_level_only=1": "house open secret",
		"?all_available=true&sort=desc&order_by=name&per_page=2": "secret open",
		fmt.Sprintf("?skip_groups[]=%d", inner.ID):               "secret/inner/deep",
	} {
		if got := names(t, mate.Send("GET", "/groups"+query, "")); got != want {
			t.Errorf("%s gives %q, want %q", query, got, want)
		}
	}
	if got := names(t, mate.Send("GET", "/groups/secret/subgroups", "")); got != "secret/inner" {
		t.Errorf("subgroups: %q", got)
	}
	if got := names(t,
		h.Root().Send("GET", "/groups/secret/descendant_groups?order_by=id", "")); got != "secret/inner secret/other secret/inner/deep" {
		t.Errorf("descendants: %q", got)
	}
	expect(t, mate.Send("GET", "/groups/secret%2Fother", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, mate.Send("GET", "/groups?order_by=id%3Bdrop", ""), 400, `{"error":"order_by does not have a valid value"}`)
}

func TestAnonymousCallersWalkGroupsByKeyset(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, path := range []string{"b", "a", "d", "c"} {
		h.Group(at(path), seen(model.Public))
	}
	anyone := h.Anonymous()
	page := anyone.Send("GET", "/groups?pagination=keyset&order_by=name&sort=asc&per_page=2", "")
	if got := names(t, page); got != "a b" || page.Header.Get("X-Total") != "" {
		t.Errorf("first page: %q %v", got, page.Header)
	}
	next := strings.TrimSuffix(strings.TrimPrefix(page.Header.Get("Link"), "<"+h.URL), `>; rel="next"`)
	h.Group(at("aa"), seen(model.Public)) // sorts before the cursor and shifts nothing
	second := anyone.Send("GET", next, "")
	if got := names(t, second); got != "c d" || second.Header.Get("Link") != "" {
		t.Errorf("second page: %q %q", got, second.Header.Get("Link"))
	}
	for _, query := range []string{"order_by=id", "order_by=name&sort=desc"} {
		expect(t, anyone.Send("GET", "/groups?pagination=keyset&"+query, ""), 405,
			`{"error":"Keyset pagination is not yet available for this type of request"}`)
	}
	expect(t, anyone.Send("GET", "/groups?pagination=keyset&cursor=nonsense", ""), 400, `{"error":"cursor is invalid"}`)
	expect(t, h.NewUser().Send("GET", "/groups?pagination=keyset", ""), 405, "")
}
