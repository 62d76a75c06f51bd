package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestGroupsProtectBranches(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public })
	h.Group(func(n *model.Namespace) { n.ParentID, n.Path, n.FullPath = &group.ID, "sub", "acme/sub" })
	owner := h.Member(group, model.Owner)
	const path = "/groups/acme/protected_branches"
	made := owner.JSON("POST", path, `{"name":"*-stable","merge_access_level":30}`)
	expect(t, made, 201, "")
	h.Golden("createGroupProtectedBranch/usual", made.Body)
	other := owner.Form("POST", path, "name=main&push_access_level=0&unprotect_access_level=60&allow_force_push=true")
	expect(t, other, 201, "")
	expect(t, owner.Send("GET", path, ""), 200, "["+made.Body+","+other.Body+"]")
	expect(t, owner.Send("GET", path+"?search=STABLE", ""), 200, "["+made.Body+"]")
	expect(t, owner.Send("GET", path+"/*-stable", ""), 200, made.Body)
	changed := owner.JSON("PATCH", path+"/*-stable", `{"allow_force_push":true}`)
	if changed.Status != 200 || !strings.Contains(changed.Body, `"allow_force_push":true`) {
		t.Error(changed.Body)
	}
	expect(t, owner.JSON("POST", path, `{"name":"main"}`), 409, `{"message":"Protected branch 'main' already exists"}`)
	expect(t, owner.JSON("POST", path, `{"name":"a..b"}`), 400, `{"message":{"name":["is invalid"]}}`)
	expect(t, owner.JSON("POST", path, `{"name":"x","push_access_level":50}`), 400, "")
	expect(t, owner.JSON("POST", "/groups/acme%2Fsub/protected_branches", `{"name":"main"}`), 400,
		`{"message":"Only top-level groups can protect branches"}`)
	for role, status := range map[model.Access]int{model.Guest: 403, model.Developer: 403, model.Maintainer: 403, model.Owner: 200} {
		expect(t, h.Member(group, role).Send("GET", path, ""), status, "")
	}
	expect(t, h.NewUser().Send("GET", path, ""), 403, "")
	expect(t, h.Anonymous().Send("GET", path, ""), 401, "")
	h.Group(at("hidden"))
	expect(t, h.NewUser().Send("GET", "/groups/hidden/protected_branches", ""), 404, `{"message":"404 Group Not Found"}`)
	expect(t, owner.Send("DELETE", path+"/main", ""), 204, "")
	expect(t, owner.Send("DELETE", path+"/main", ""), 404, `{"message":"404 Not found"}`)
}

// A rule of a group binds pushes to its projects and merges in them like a rule of the project. If both match, both must
// allow it.
func TestRulesOfGroupsBindTheirProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	callers := newCallersByRole(h, w.project)
	n := 0
	write := func(branch string) func(c *harness.Caller) harness.Answer {
		return func(c *harness.Caller) harness.Answer {
			n++
			return c.JSON("POST", fmt.Sprintf("%s/repository/files/f%d", w.path, n),
				fmt.Sprintf(`{"branch":%q,"content":"x","commit_message":"m"}`, branch))
		}
	}
	w.commit("one-stable", "A branch", map[string]string{"one": "x"})
	w.commit("topic", "A topic", map[string]string{"topic": "x"})
	const everybody, nobody = "401 404 404 403 403 201 201 201 201", "401 404 404 403 403 403 403 403 403"
	callers.statuses(t, "before", everybody, write("one-stable"))
	top := fmt.Sprintf("/groups/%s/protected_branches", strings.Split(w.project.FullPath, "/")[0])
	expect(t, h.Root().JSON("POST", top, `{"name":"*-stable"}`), 201, "")
	callers.statuses(t, "maintainers push", "401 404 404 403 403 403 201 201 201", write("one-stable"))
	callers.statuses(t, "other branches", everybody, write("topic"))
	expect(t, w.maintainer.JSON("POST", w.path+"/protected_branches", `{"name":"one-*","push_access_level":30}`), 201, "")
	callers.statuses(t, "the group is stricter", "401 404 404 403 403 403 201 201 201", write("one-stable"))
	expect(t, h.Root().JSON("PATCH", top+"/*-stable", `{"push_access_level":0,"merge_access_level":40}`), 200, "")
	callers.statuses(t, "nobody pushes", nobody, write("one-stable"))
	mr := read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
		`{"source_branch":"topic","target_branch":"one-stable","title":"T"}`), 201)
	callers.statuses(t, "merge", "401 404 404 403 401 401 200 405 405",
		func(c *harness.Caller) harness.Answer { return c.JSON("PUT", w.at(mr.IID, "/merge"), `{}`) })
	if got := w.maintainer.Send("GET", w.path+"/repository/branches/one-stable", ""); !strings.Contains(got.Body, `"protected":true`) {
		t.Error(got.Body)
	}
	expect(t, h.Root().Send("DELETE", top+"/*-stable", ""), 204, "")
	callers.statuses(t, "after", everybody, write("one-stable"))
}
