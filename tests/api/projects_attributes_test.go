package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestCustomAttributesOfProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	web := h.Project(group.ID, called("web", model.Public))
	h.Project(group.ID, called("site", model.Public))
	owner, root := h.ProjectMember(web, model.Owner), h.Root()
	const one = "/projects/acme%2Fweb/custom_attributes/cost_center"
	expect(t, root.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
	expect(t, root.JSON("PUT", one, `{"value":"4711"}`), 200, `{"key":"cost_center","value":"4711"}`)
	expect(t, root.JSON("PUT", one, `{"value":"4712"}`), 200, `{"key":"cost_center","value":"4712"}`)
	expect(t, root.JSON("PUT", "/projects/acme%2Fweb/custom_attributes/a", `{"value":"x"}`), 200, "")
	expect(t, root.Send("GET", one, ""), 200, `{"key":"cost_center","value":"4712"}`)
	expect(t, root.Send("GET", "/projects/acme%2Fweb/custom_attributes", ""), 200,
		`[{"key":"a","value":"x"},{"key":"cost_center","value":"4712"}]`)
	expect(t, root.JSON("PUT", one, `{"value":""}`), 400, `{"message":{"value":["can't be blank"]}}`)
	expect(t, root.JSON("PUT", one, `{}`), 400, `{"error":"value is missing"}`)
	expect(t, root.JSON("PUT", one, `{"value":"`+strings.Repeat("x", 10001)+`"}`), 400, "")
	expect(t, root.JSON("PUT", "/projects/acme%2Fweb/custom_attributes/"+strings.Repeat("k", 256), `{"value":"x"}`), 400, "")
	expect(t, owner.Send("GET", one, ""), 403, "")
	expect(t, owner.JSON("PUT", one, `{"value":"mine"}`), 403, "")

	const shown = `"custom_attributes":[{"key":"a","value":"x"},{"key":"cost_center","value":"4712"}]`
	for _, path := range []string{
		"/projects/acme%2Fweb?with_custom_attributes=true", "/projects?with_custom_attributes=true",
		"/groups/acme/projects?with_custom_attributes=true&simple=true",
	} {
		if got := root.Send("GET", path, ""); !strings.Contains(got.Body, shown) {
			t.Errorf("%s is %s", path, got.Body)
		}
		if got := owner.Send("GET", path, ""); strings.Contains(got.Body, "custom_attributes") {
			t.Errorf("%s is for an owner %s", path, got.Body)
		}
	}
	if got := root.Send("GET", "/projects/acme%2Fweb", ""); strings.Contains(got.Body, "custom_attributes") {
		t.Errorf("unasked, it is %s", got.Body)
	}
	for query, want := range map[string]string{
		"custom_attributes[cost_center]=4712": "acme/web", "custom_attributes[cost_center]=4712&custom_attributes[a]=x": "acme/web",
		"custom_attributes[cost_center]=4712&custom_attributes[a]=y": "", "custom_attributes[nothing]=x": "",
	} {
		if got := paths(t, root.Send("GET", "/projects?"+query, "")); got != want {
			t.Errorf("with %s are %q, want %q", query, got, want)
		}
		if got := paths(t, owner.Send("GET", "/projects?"+query, "")); got != "acme/site acme/web" {
			t.Errorf("with %s an owner is shown %q", query, got)
		}
	}
	expect(t, root.Send("DELETE", one, ""), 204, "")
	expect(t, root.Send("DELETE", one, ""), 404, "")
}

// Attributes that the caller may not set are ignored, and invalid values change nothing.
func TestBadInputForProjectsChangesNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	web := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	h.Project(web.NamespaceID, called("site", model.Private))
	boss := h.ProjectMember(web, model.Maintainer)
	path := fmt.Sprintf("/projects/%d", web.ID)
	before := boss.Send("GET", path, "").Body
	for _, c := range []struct{ body, want string }{
		{`{"path":"Site"}`, `{"message":{"path":["has already been taken"]}}`},
		{`{"name":"SITE","path":"SITE"}`, `{"message":{"name":["has already been taken"],"path":["has already been taken"]}}`},
		{`{"path":"a/b"}`, ""},
		{`{"path":"web.git"}`, ""},
		{`{"path":"-"}`, ""},
		{`{"path":"wеb"}`, ""},
		{`{"name":"a\u202eb"}`, ""},
		{`{"name":"a\u0000b"}`, ""},
		{`{"description":"` + strings.Repeat("x", 2001) + `"}`, ""},
		{`{"default_branch":"a..b"}`, `{"message":{"default_branch":["is not a valid branch name"]}}`},
		{
			`{"ci_config_path":"../../etc/passwd"}`,
			`{"message":{"ci_config_path":["cannot include leading slash or directory traversal."]}}`,
		},
		{`{"ci_config_path":"/etc/passwd"}`, `{"message":{"ci_config_path":["cannot include leading slash or directory traversal."]}}`},
		{`{"ci_config_path":"a\nb"}`, `{"message":{"ci_config_path":["is invalid"]}}`},
		{`{"build_timeout":1}`, ""},
		{`{"issues_access_level":"everybody"}`, `{"error":"issues_access_level does not have a valid value"}`},
		{`{"visibility":"secret"}`, ""},
		{`{"merge_method":"'; DROP TABLE projects"}`, ""},
	} {
		got := boss.JSON("PUT", path, c.body)
		if got.Status != 400 || (c.want != "" && got.Body != c.want) {
			t.Errorf("%s answered %d %s", c.body, got.Status, got.Body)
		}
	}
	expect(t, boss.Send("GET", path, ""), 200, before)
	assigned := boss.JSON(
		"PUT",
		path,
		`{"id":99,"namespace_id":1,"creator_id":1,"star_count":9,"forks_count":9,"archived":true,"forked_from_id":1,
		"import_status":"failed","full_path":"x/y","repository_storage":"fast","created_at":"2001-01-01T00:00:00Z","description":"d"}`,
	)
	expect(t, assigned, 200, "")
	want := strings.NewReplacer(`"description":null`, `"description":"d"`, `"description_html":""`,
		`"description_html":"\u003cp dir=\"auto\"\u003ed\u003c/p\u003e"`).Replace(before)
	at := func(body string) string {
		_, rest, _ := strings.Cut(body, `"updated_at":"`)
		return rest[:24]
	}
	if got := strings.Replace(assigned.Body, at(assigned.Body), at(before), 1); got != want {
		t.Errorf("it became\n%s\nwant\n%s", got, want)
	}
	got := atOnce(6, func(i int) harness.Answer {
		return boss.JSON("PUT", path, fmt.Sprintf(`{"path":"n%d","name":"n%d"}`, i, i))
	})
	now := boss.Send("GET", path, "")
	if got[200] != 6 || fmt.Sprint(member(t, now, "path_with_namespace")) != "acme/"+fmt.Sprint(member(t, now, "path")) {
		t.Errorf("statuses %v, then it is %s", got, now.Body)
	}
	for i := range 6 { // every former path of the project redirects to it
		if got := boss.Send("GET", fmt.Sprintf("/projects/acme%%2Fn%d", i), ""); got.Status != 301 && got.Status != 200 {
			t.Errorf("n%d answered %d", i, got.Status)
		}
	}
}
