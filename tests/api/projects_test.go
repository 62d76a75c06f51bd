package api

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// paths returns the full paths of the projects in a response, in order.
func paths(t *testing.T, a harness.Answer) string {
	t.Helper()
	if a.Status != 200 {
		t.Fatalf("answered %d %s", a.Status, a.Body)
	}
	var found []string
	for _, part := range strings.Split(a.Body, `"path_with_namespace":"`)[1:] {
		path, _, _ := strings.Cut(part, `"`)
		found = append(found, path)
	}
	return strings.Join(found, " ")
}

func called(path string, v model.Visibility) func(*model.Project) {
	return func(p *model.Project) { p.Path, p.Name, p.Visibility = path, path, v }
}

func TestProjectsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser(named("ann"))
	group := h.Group(at("acme"), seen(model.Public))
	h.Join(group, ann.User, model.Developer)

	own := ann.JSON("POST", "/projects",
		`{"name":"My Own  (first) tool!","description":"it's <b>mine</b>","topics":["Go","go","tools"],`+
			`"issues_enabled":false,"ci_config_path":"ci.yml"}`)
	expect(t, own, 201, "")
	h.Golden("createProject/own", own.Body)
	shared := ann.Form("POST", "/projects",
		fmt.Sprintf("path=web&namespace_id=%d&visibility=public&wiki_access_level=private&topics=a,b&build_timeout=7200", group.ID))
	expect(t, shared, 201, "")
	h.Golden("createProject/group", shared.Body)

	expect(t, ann.Send("GET", "/projects/ann%2Fmy-own-first-tool", ""), 200, own.Body)
	expect(t, ann.Send("GET", "/projects/Acme%2FWEB", ""), 200, shared.Body)
	expect(t, ann.Send("GET", "/projects/2", ""), 200, shared.Body)
	h.Golden("getProject/anonymous", h.Anonymous().Send("GET", "/projects/2", "").Body)
	h.Golden("getProject/administrator", h.Root().Send("GET", "/projects/2", "").Body)

	changed := ann.JSON("PUT", "/projects/1",
		`{"name":"Tool","description":null,"tag_list":"one, two","ci_config_path":null,`+
			`"issues_access_level":"private","merge_method":"ff"}`)
	expect(t, changed, 200, "")
	for name, want := range map[string]any{
		"name": "Tool", "path": "my-own-first-tool", "description": nil, "ci_config_path": nil, "issues_access_level": "private",
		"issues_enabled": true, "merge_method": "ff", "description_html": "", "name_with_namespace": "Ann / Tool",
	} {
		if got := member(t, changed, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if !strings.Contains(changed.Body, `"topics":["one","two"]`) {
		t.Errorf("the topics are not in %s", changed.Body)
	}

	old := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, ann.Send("DELETE", "/projects/1", "", "If-Unmodified-Since", old), 412, "")
	expect(t, ann.Send("DELETE", "/projects/1", ""), 202, `{"message":"202 Accepted"}`)
	expect(t, ann.Send("GET", "/projects/1", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, ann.Send("DELETE", "/projects/1", ""), 404, "")
}

func TestAProjectForAnotherUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	bob := h.NewUser(named("bob", func(u *model.User) { u.ProjectsLimit = 0 }))
	got := h.Root().JSON("POST", fmt.Sprintf("/projects/user/%d", bob.User.ID), `{"name":"gift"}`)
	expect(t, got, 201, "")
	if member(t, got, "path_with_namespace") != "bob/gift" || member(t, got, "creator_id") != float64(bob.User.ID) {
		t.Errorf("the project is %s", got.Body)
	}
	mine := bob.Send("GET", "/projects/bob%2Fgift", "")
	expect(t, mine, 200, "")
	if !strings.Contains(mine.Body, `"project_access":{"access_level":50`) {
		t.Errorf("the user does not own it: %s", mine.Body)
	}
	expect(t, h.Root().JSON("POST", "/projects/user/99999", `{"name":"gift"}`), 404, `{"message":"404 User Not Found"}`)
	expect(t, bob.JSON("POST", fmt.Sprintf("/projects/user/%d", bob.User.ID), `{"name":"x"}`), 403, "")
}

func TestAnOldProjectPathRedirectsToTheID(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	owner := h.Member(group, model.Owner)
	web := h.Project(group.ID, called("web", model.Public))
	expect(t, owner.JSON("PUT", "/projects/acme%2Fweb", `{"path":"site"}`), 200, "")
	moved := owner.Send("GET", "/projects/acme%2Fweb?statistics=true", "")
	expect(t, moved, 301, fmt.Sprintf("This resource has been moved permanently to %s/api/v4/projects/%d?statistics=true", h.URL, web.ID))
	if to := moved.Header.Get("Location"); to != fmt.Sprintf("%s/api/v4/projects/%d?statistics=true", h.URL, web.ID) {
		t.Errorf("Location is %s", to)
	}
	expect(t, owner.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 405,
		`{"message":"Non GET methods are not allowed for moved projects"}`)
	expect(t, owner.Send("DELETE", "/projects/acme%2Fweb", ""), 405, "")
	// The parent groups may move, too.
	expect(t, owner.JSON("PUT", "/groups/acme", `{"path":"acme-inc"}`), 200, "")
	for _, old := range []string{"acme%2Fweb", "acme%2Fsite"} {
		expect(t, h.Anonymous().Send("GET", "/projects/"+old, ""), 301, "")
	}
	expect(t, h.Anonymous().Send("GET", "/projects/acme-inc%2Fsite", ""), 200, "")
	// An old path does not redirect to a project that the caller cannot see.
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", web.ID), `{"visibility":"private"}`), 200, "")
	expect(t, h.Anonymous().Send("GET", "/projects/acme%2Fweb", ""), 404, `{"message":"404 Project Not Found"}`)
	// A new project can take the old path.
	expect(t, owner.JSON("PUT", "/groups/acme-inc", `{"path":"acme"}`), 200, "")
	expect(t, owner.JSON("POST", "/projects", fmt.Sprintf(`{"path":"web","name":"Another","namespace_id":%d}`, group.ID)), 201, "")
	expect(t, owner.Send("GET", "/projects/acme%2Fweb", ""), 200, "")
	expect(t, owner.Send("GET", "/projects/acme-inc%2Fsite", ""), 301, "")
}

func TestInvalidProjectsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	h.Group(at("sub"), in(group))
	ann := h.NewUser(named("ann", func(u *model.User) { u.ProjectsLimit = 2 }))
	h.Join(group, ann.User, model.Maintainer)
	guest, other := h.Member(group, model.Guest), h.NewUser(named("other"))
	external := h.NewUser(harness.External)
	expect(t, ann.JSON("POST", "/projects", `{"name":"one"}`), 201, "")
	post := func(c *harness.Caller, body string) harness.Answer { return c.JSON("POST", "/projects", body) }
	for _, c := range []struct {
		name string
		who  *harness.Caller
		body string
		code int
		want string
	}{
		{"nothing", ann, `{}`, 400, `{"error":"name, path are missing, at least one parameter must be provided"}`},
		{"taken", ann, `{"name":"ONE"}`, 400, `{"message":{"name":["has already been taken"],"path":["has already been taken"]}}`},
		{"a name that is taken", ann, `{"name":"One","path":"two"}`, 400, `{"message":{"name":["has already been taken"]}}`},
		{
			"a group's path", ann, fmt.Sprintf(`{"path":"Sub","namespace_id":%d}`, group.ID), 400,
			`{"message":{"path":["has already been taken"]}}`,
		},
		{"a route", ann, `{"path":"-"}`, 400, ""},
		{"a part of projects' URLs", ann, `{"path":"Blob"}`, 400, `{"message":{"path":["Blob is a reserved name"]}}`},
		{"ends in .git", ann, `{"path":"x.GIT"}`, 400, ""},
		{"dots", ann, `{"path":".."}`, 400, ""},
		{"a look-alike", ann, `{"path":"wеb"}`, 400, ""},
		{"a name that makes no path", ann, `{"name":"日本"}`, 400, ""},
		{"a name with markup", ann, `{"name":"<script>","path":"ok"}`, 400, ""},
		{
			"a bad branch", ann, `{"path":"ok","default_branch":"--upload-pack=x"}`, 400,
			`{"message":{"default_branch":["is not a valid branch name"]}}`,
		},
		{"more visible than the group", ann, fmt.Sprintf(`{"path":"ok","namespace_id":%d,"visibility":"public"}`,
			group.ID), 400, `{"message":{"visibility_level":["public is not allowed in a private group."]}}`},
		{"a wrong visibility", ann, `{"path":"ok","visibility":"secret"}`, 400, `{"error":"visibility does not have a valid value"}`},
		{"too low a role", guest, fmt.Sprintf(`{"path":"ok","namespace_id":%d}`, group.ID), 403, ""},
		{
			"a group that one does not see", other, fmt.Sprintf(`{"path":"ok","namespace_id":%d}`, group.ID), 404,
			`{"message":"404 Namespace Not Found"}`,
		},
		{"somebody else's namespace", other, fmt.Sprintf(`{"path":"ok","namespace_id":%d}`, *ann.User.NamespaceID), 404, ""},
		{"an external user", external, `{"path":"ok"}`, 403, ""},
		{"no namespace", ann, `{"path":"ok","namespace_id":99999}`, 404, ""},
	} {
		got := post(c.who, c.body)
		if got.Status != c.code || (c.want != "" && strings.TrimSpace(got.Body) != c.want) {
			t.Errorf("%s: answered %d %s", c.name, got.Status, got.Body)
		}
	}
	expect(t, post(ann, `{"name":"two"}`), 201, "")
	expect(t, post(ann, `{"name":"three"}`), 403,
		`{"message":"403 Forbidden - Your project limit is 2 projects! Please contact your administrator to increase it"}`)
	// A group cannot take the path of a project either, nor become less visible than its projects.
	expect(t, post(ann, fmt.Sprintf(`{"path":"web","namespace_id":%d}`, group.ID)), 201, "")
	taken := h.Root().JSON("POST", "/groups", fmt.Sprintf(`{"name":"web","path":"WEB","parent_id":%d}`, group.ID))
	expect(t, taken, 400, `{"message":"Failed to save group {:path=\u003e[\"has already been taken\"]}"}`)
	expect(t, h.Root().JSON("PUT", "/groups/acme%2Fsub", `{"path":"web"}`), 400, "")
	expect(t, h.Root().JSON("PUT", "/groups/acme", `{"visibility":"public"}`), 200, "")
	expect(t, h.Root().JSON("PUT", "/projects/acme%2Fweb", `{"visibility":"internal"}`), 200, "")
	expect(t, h.Root().JSON("PUT", "/groups/acme", `{"visibility":"private"}`), 400,
		`{"message":"Failed to save group {:visibility_level=\u003e[\"private is not allowed since this group `+
			`contains projects with higher visibility.\"]}"}`)
	// Maintainers change settings, but not the visibility of the project.
	expect(t, ann.JSON("PUT", "/projects/acme%2Fweb", `{"visibility":"public"}`), 403, "")
	expect(t, ann.JSON("PUT", "/projects/acme%2Fweb", `{"visibility":"internal","description":"same"}`), 200, "")
}

func TestProjectsAreVisibleByRoleAndVisibility(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group(at("top"), seen(model.Public))
	sub := h.Group(at("sub"), in(top), seen(model.Public))
	friends := h.Group(at("friends"))
	var all []model.Project
	for _, v := range []model.Visibility{model.Private, model.Internal, model.Public} {
		all = append(all, h.Project(sub.ID, called(v.String(), v)))
	}
	link := model.ProjectLink{ProjectID: all[0].ID, GroupID: friends.ID, AccessLevel: model.Reporter}
	if err := h.Store.ProjectLinks.Create(t.Context(), &link); err != nil {
		t.Fatal(err)
	}
	callers := []struct {
		name string
		who  *harness.Caller
		sees string
		role int
	}{
		{"anonymous", h.Anonymous(), "public", 0},
		{"a user", h.NewUser(), "internal public", 0},
		{"an external user", h.NewUser(harness.External), "public", 0},
		{"a guest of the project", h.ProjectMember(all[0], model.Guest), "private internal public", 10},
		{"a developer of the group", h.Member(sub, model.Developer), "private internal public", 30},
		{"a guest of the group above", h.Member(top, model.Guest), "private internal public", 10},
		{"an owner of an invited group", h.Member(friends, model.Owner), "private internal public", 20},
		{"a guest of an invited group", h.Member(friends, model.Guest), "private internal public", 10},
		{"with minimal access", h.Member(top, model.Minimal), "internal public", 0},
		{"an administrator", h.Root(), "private internal public", 0},
	}
	for _, c := range callers {
		var seen []string
		for _, p := range all {
			if got := c.who.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""); got.Status == 200 {
				seen = append(seen, p.Path)
			} else {
				expect(t, got, 404, `{"message":"404 Project Not Found"}`)
			}
		}
		if got := strings.Join(seen, " "); got != c.sees {
			t.Errorf("%s sees %s, want %s", c.name, got, c.sees)
		}
		listed := strings.Fields(strings.ReplaceAll(paths(t, c.who.Send("GET", "/projects?order_by=id&sort=asc", "")), "top/sub/", ""))
		if !slices.Equal(listed, strings.Fields(c.sees)) {
			t.Errorf("%s is shown %v, want %s", c.name, listed, c.sees)
		}
		if c.role > 0 {
			got := paths(t, c.who.Send("GET", fmt.Sprintf("/projects?min_access_level=%d&visibility=private", c.role), ""))
			if got != "top/sub/private" {
				t.Errorf("%s with role %d is shown %q", c.name, c.role, got)
			}
			if got := paths(t, c.who.Send("GET",
				fmt.Sprintf("/projects?min_access_level=%d&visibility=private", c.role+10), "")); got != "" && c.role < 50 {
				t.Errorf("%s with a role above %d is shown %q", c.name, c.role, got)
			}
		}
	}
}

func TestMirrorsOfOtherServersAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	one, ofUser := fmt.Sprintf("/projects/%d", p.ID), fmt.Sprintf("/projects/user/%d", owner.User.ID)
	const mirrored = `{"error":"mirror is not supported here: set the mirror of a project with PUT /projects/{id}/mirror/pull"}`
	for _, c := range []struct {
		caller       *harness.Caller
		method, path string
		ok           int
	}{{owner, "POST", "/projects", 201}, {h.Root(), "POST", ofUser, 201}, {owner, "PUT", one, 200}} {
		expect(t, c.caller.JSON(c.method, c.path, `{"name":"x","mirror":true}`), 400, mirrored)
		name := strings.ToLower(c.method) + strconv.Itoa(len(c.path))
		expect(t, c.caller.JSON(c.method, c.path, `{"name":"`+name+`","import_url":null,"mirror":false}`), c.ok, "")
	}
	expect(t, h.NewUser().JSON("PUT", one, `{"mirror":true}`), 404, "")
}
