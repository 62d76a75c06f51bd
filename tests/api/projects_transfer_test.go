package api

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAProjectIsTransferred(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme := h.Group(at("acme"), seen(model.Public))
	team := h.Group(at("team"), seen(model.Internal))
	low := h.Group(at("low"), in(team), seen(model.Internal))
	web := h.Project(acme.ID, called("web", model.Public))
	ann := h.NewUser(named("ann"))
	h.JoinProject(web, ann.User, model.Owner)
	h.Join(low, ann.User, model.Developer)
	put := func(who *harness.Caller, body string) harness.Answer {
		return who.JSON("PUT", fmt.Sprintf("/projects/%d/transfer", web.ID), body)
	}
	moved := put(ann, fmt.Sprintf(`{"namespace":%d}`, low.ID))
	expect(t, moved, 200, "")
	for name, want := range map[string]any{
		"path_with_namespace": "team/low/web", "name_with_namespace": "team / low / web", "visibility": "internal",
	} {
		if got := member(t, moved, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	expect(t, ann.Send("GET", "/projects/acme%2Fweb", ""), 301, "")
	expect(t, put(ann, `{"namespace":"team/low"}`), 400,
		`{"message":"Failed to transfer project {:new_namespace=\u003e[\"Project is already in this namespace.\"]}"}`)
	// After a transfer to the personal namespace and back, the roles are the same.
	mate := h.ProjectMember(web, model.Developer)
	expect(t, put(ann, `{"namespace":"ann"}`), 200, "")
	expect(t, h.Root().JSON("POST", "/groups/acme/projects/ann%2Fweb", ""), 201, "")
	mine := ann.Send("GET", "/projects/acme%2Fweb", "")
	if mine.Status != 200 || !strings.Contains(mine.Body, `"project_access":{"access_level":50`) {
		t.Errorf("the owner is shown %d %s", mine.Status, mine.Body)
	}
	if got := mate.Send("GET", "/projects/acme%2Fweb", ""); !strings.Contains(got.Body, `"project_access":{"access_level":30`) {
		t.Errorf("a developer is shown %d %s", got.Status, got.Body)
	}
	// The owner of the personal namespace becomes owner of the project, whatever their role was.
	expect(t, put(h.Root(), fmt.Sprintf(`{"namespace":%d}`, *mate.User.NamespaceID)), 200, "")
	if got := mate.Send("GET", fmt.Sprintf("/projects/%d", web.ID), ""); !strings.Contains(got.Body,
		`"project_access":{"access_level":50`) {
		t.Errorf("the owner is shown %s", got.Body)
	}
}

func TestInvalidTransfersAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	acme, team := h.Group(at("acme")), h.Group(at("team"))
	closed := h.Group(at("closed"), func(g *model.Namespace) { g.ProjectCreationLevel = "noone" })
	h.Group(at("hidden"))
	h.Group(at("Web"), in(team))
	web, site := h.Project(acme.ID, called("web", model.Private)), h.Project(acme.ID, called("site", model.Private))
	h.Project(team.ID, called("site", model.Private))
	owner := h.Member(acme, model.Owner)
	h.Join(team, owner.User, model.Maintainer)
	h.Join(closed, owner.User, model.Owner)
	maintainer := h.Member(acme, model.Maintainer)
	other := h.NewUser(named("other"))
	put := func(who *harness.Caller, p model.Project, to string) harness.Answer {
		return who.JSON("PUT", fmt.Sprintf("/projects/%d/transfer", p.ID), to)
	}
	const taken = `{"message":"Failed to transfer project {:new_namespace=\u003e[\"Project with same name or path in ` +
		`target namespace already exists\"]}"}`
	expect(t, put(owner, web, `{}`), 400, `{"error":"namespace is missing"}`)
	expect(t, put(owner, web, `{"namespace":""}`), 400, "")
	expect(t, put(owner, web, `{"namespace":"hidden"}`), 404, `{"message":"404 Namespace Not Found"}`)
	expect(t, put(owner, web, `{"namespace":"nothing"}`), 404, `{"message":"404 Namespace Not Found"}`)
	expect(t, put(owner, web, `{"namespace":"other"}`), 404, "")
	expect(t, put(owner, web, `{"namespace":"closed"}`), 403, "")
	expect(t, put(owner, web, `{"namespace":"team"}`), 400, taken) // a group has the path
	expect(t, put(owner, site, `{"namespace":"team"}`), 400, taken)
	expect(t, put(maintainer, web, `{"namespace":"team"}`), 403, "")
	expect(t, put(other, web, `{"namespace":"other"}`), 404, `{"message":"404 Project Not Found"}`)
	if err := h.Store.Users.Update(t.Context(), owner.User.ID, map[string]any{"projects_limit": 0}); err != nil {
		t.Fatal(err)
	}
	expect(t, put(owner, web, fmt.Sprintf(`{"namespace":%d}`, *owner.User.NamespaceID)), 403, "")
	expect(t, owner.Send("GET", "/projects/acme%2Fweb", ""), 200, "")
	expect(t, owner.JSON("POST", "/groups/team/projects/acme%2Fweb", ""), 403, "")
	expect(t, h.Root().JSON("POST", "/groups/team/projects/acme%2Fsite", ""), 400, taken)
	expect(t, h.Root().JSON("POST", "/groups/team/projects/nothing", ""), 404, "")
	expect(t, h.Root().JSON("POST", "/groups/nothing/projects/acme%2Fsite", ""), 404, `{"message":"404 Group Not Found"}`)

	locations := fmt.Sprintf("/projects/%d/transfer_locations", web.ID)
	for query, want := range map[string]string{"": "team/Web team", "?search=eam%2Fw": "team/Web", "?per_page=1&page=2": "team"} {
		if got := names(t, owner.Send("GET", locations+query, "")); got != want {
			t.Errorf("transfer_locations%s are %q, want %q", query, got, want)
		}
	}
	if got := names(t, h.Root().Send("GET", locations, "")); got != "team/Web closed hidden team" {
		t.Errorf("an administrator is shown %q", got)
	}
	expect(t, maintainer.Send("GET", locations, ""), 403, "")
}

// Whatever changes concurrently, the path of a project begins with the path of its group, and a project is never more
// visible than its group.
func TestConcurrentChangesOfProjectsAndGroupsStayConsistent(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	a, b := h.Group(at("a"), seen(model.Public)), h.Group(at("b"), seen(model.Public))
	web := h.Project(a.ID, called("web", model.Public))
	var wg sync.WaitGroup
	try := func(method, path, body string) {
		wg.Go(func() {
			if got := root.JSON(method, path, body); got.Status >= 500 {
				t.Errorf("%s %s answered %d %s", method, path, got.Status, got.Body)
			}
		})
	}
	for i := range 6 {
		project := fmt.Sprintf("/projects/%d", web.ID)
		try("PUT", fmt.Sprintf("/groups/%d", a.ID), fmt.Sprintf(`{"path":"a%d"}`, i))
		try("PUT", fmt.Sprintf("/groups/%d", b.ID), `{"visibility":"private"}`)
		try("POST", "/projects", fmt.Sprintf(`{"path":"p%d","namespace_id":%d,"visibility":"public"}`, i, b.ID))
		try("POST", "/projects", fmt.Sprintf(`{"path":"p%d","namespace_id":%d}`, i%3, a.ID))
		try("PUT", project, fmt.Sprintf(`{"path":"web%d"}`, i))
		try("PUT", project+"/transfer", fmt.Sprintf(`{"namespace":%d}`, []int64{a.ID, b.ID}[i%2]))
		try("POST", project+"/fork", fmt.Sprintf(`{"path":"f%d","name":"f%d","namespace_id":%d}`, i, i, a.ID))
		try("PUT", fmt.Sprintf("/groups/%d", b.ID), `{"visibility":"public"}`)
		try("DELETE", fmt.Sprintf("/projects/%d", web.ID+int64(i)+1), "")
	}
	wg.Wait()
	rows, err := h.Store.SQL().QueryContext(t.Context(),
		"SELECT p.full_path, n.full_path || '/' || p.path, p.visibility, n.visibility FROM projects p JOIN "+
			"namespaces n ON n.id = p.namespace_id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for ; rows.Next(); count++ {
		var is, want string
		var v, widest int
		if err := rows.Scan(&is, &want, &v, &widest); err != nil {
			t.Fatal(err)
		}
		if is != want || v > widest {
			t.Errorf("%s should be %s, its visibility is %d in a group of %d", is, want, v, widest)
		}
	}
	if err := rows.Err(); err != nil || count == 0 {
		t.Errorf("%d projects, %v", count, err)
	}
	var wrong int
	err = h.Store.SQL().QueryRowContext(t.Context(),
		"SELECT count(*) FROM projects p WHERE p.forks_count <> (SELECT count(*) FROM projects f WHERE "+
			"f.forked_from_id = p.id)").Scan(&wrong)
	if err != nil || wrong > 0 {
		t.Errorf("%d projects count their forks wrongly, %v", wrong, err)
	}
}

func TestAGroupBecomesPrivateWhileProjectsAreAdded(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	for round := range 10 {
		g := h.Group(at(fmt.Sprintf("g%d", round)), seen(model.Public))
		got := atOnce(7, func(i int) harness.Answer {
			if i == 3 {
				return root.JSON("PUT", fmt.Sprintf("/groups/%d", g.ID), `{"visibility":"private"}`)
			}
			return root.JSON("POST", "/projects", fmt.Sprintf(`{"path":"p%d","namespace_id":%d,"visibility":"public"}`, i, g.ID))
		})
		group := root.Send("GET", fmt.Sprintf("/groups/%d", g.ID), "")
		if member(t, group, "visibility") == "private" && got[201] > 0 {
			t.Errorf("a private group has %d public projects", got[201])
		}
		if got[200]+got[201]+got[400] != 7 {
			t.Errorf("statuses %v", got)
		}
	}
}
