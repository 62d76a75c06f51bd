package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// forkedProject is a public project and a fork with a branch that a merge request proposes.
type forkedProject struct {
	mergeProject
	forker *harness.Caller
	forked model.Project
	fork   string // API path of the fork
	mr     mergeRequest
}

func newForkedWorkshop(t *testing.T, h *harness.H, extra string) forkedProject {
	t.Helper()
	f := forkedProject{mergeProject: newMergeProject(t, h, func(p *model.Project) { p.Visibility = model.Public }), forker: h.NewUser()}
	made := f.forker.JSON("POST", f.path+"/fork", `{}`)
	expect(t, made, 201, "")
	waitForQueue(t, h)
	f.forked = model.Project{ID: int64(member(t, made, "id").(float64)), FullPath: member(t, made, "path_with_namespace").(string)}
	f.fork = "/projects/" + url.PathEscape(f.forked.FullPath)
	ci := "job: {script: [env], rules: [{when: always}]}\n"
	body, _ := json.Marshal(map[string]any{
		"branch": "idea", "start_branch": "main", "commit_message": "Idea [skip ci]",
		"actions": []map[string]string{{"action": "create", "file_path": ".svc-ci.yml", "content": ci}},
	})
	expect(t, f.forker.JSON("POST", f.fork+"/repository/commits", string(body)), 201, "")
	body = []byte(fmt.Sprintf(`{"source_branch":"idea","target_branch":"main","title":"Idea","target_project_id":%d%s}`,
		f.project.ID, extra))
	f.mr = read[mergeRequest](t, f.forker.JSON("POST", f.fork+"/merge_requests", string(body)), 201)
	waitForQueue(t, h)
	return f
}

func (f forkedProject) shares() string {
	f.t.Helper()
	return fmt.Sprint(member(f.t, f.forker.Send("GET", f.at(f.mr.IID, ""), ""), "allow_collaboration"))
}

func TestOnlyUsersWhoMayPushToTheForkAllowCollaboration(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	f := newForkedWorkshop(t, h, "")
	set := func(c *harness.Caller, value string) string {
		expect(t, f.forker.JSON("PUT", f.at(f.mr.IID, ""), fmt.Sprintf(`{"allow_collaboration":%t}`, value != "true")), 200, "")
		status := c.JSON("PUT", f.at(f.mr.IID, ""),
			fmt.Sprintf(`{"allow_collaboration":%s,"allow_maintainer_to_push":%s}`, value, value)).Status
		return fmt.Sprint(status, "/", f.shares())
	}
	newCallersByRole(h, f.project).answers(t, "allow as a member of the target",
		"401/false 403/false 403/false 403/false 403/false 200/false 200/false 200/false 200/true",
		func(_ string, c *harness.Caller) string { return set(c, "true") })
	inFork := newCallersByRole(h, f.forked)
	for _, role := range everyRole[1:8] { // developers of the target project may change the merge request
		h.JoinProject(f.project, inFork[role].User, model.Developer)
	}
	inFork.answers(t, "allow as a member of the fork",
		"401/false 200/false 200/false 200/false 200/false 200/true 200/true 200/true 200/true",
		func(_ string, c *harness.Caller) string { return set(c, "true") })
	inFork.answers(t, "forbid as a member of the fork",
		"401/true 200/true 200/true 200/true 200/true 200/false 200/false 200/false 200/false",
		func(_ string, c *harness.Caller) string { return set(c, "false") })
}

func TestOnlyDevelopersOfTheForkCreateWithCollaboration(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	f := newForkedWorkshop(t, h, `,"allow_collaboration":true`)
	if f.shares() != "true" {
		t.Error("the owner of the fork does not let others push")
	}
	expect(t, f.forker.JSON("PUT", f.at(f.mr.IID, ""), `{"state_event":"close"}`), 200, "")
	body := fmt.Sprintf(`{"source_branch":"idea","target_branch":"main","title":"Idea","target_project_id":%d,"allow_collaboration":true}`,
		f.project.ID)
	newCallersByRole(h, f.forked).answers(t, "create", "401/ 403/ 403/ 403/ 403/ 201/true 201/true 201/true 201/true",
		func(_ string, c *harness.Caller) string {
			made := c.JSON("POST", f.fork+"/merge_requests", body)
			if made.Status != 201 {
				return fmt.Sprint(made.Status, "/")
			}
			expect(t, f.maintainer.JSON("PUT", f.at(int64(member(t, made, "iid").(float64)), ""), `{"state_event":"close"}`), 200, "")
			return fmt.Sprint(made.Status, "/", member(t, made, "allow_collaboration"))
		})
}

func TestAPushCreatesPipelinesOnlyForDevelopers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	f := newForkedWorkshop(t, h, `,"allow_collaboration":true`)
	to := func(c *harness.Caller) string {
		u, err := url.Parse(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword("oauth2", c.Token), "/"+f.forked.FullPath+".git"
		return u.String()
	}
	r := harness.NewHistory(t)
	r.Git("fetch", "-q", to(f.forker), "idea")
	r.Git("checkout", "-q", "FETCH_HEAD")
	push := func(c *harness.Caller) string {
		r.Write("more", c.User.Username)
		r.Commit("Ann <ann@example.com>", "More")
		if strings.Contains(r.Git("-c", "alias.try=!git push -q "+to(c)+" HEAD:refs/heads/idea 2>&1 || echo REFUSED", "try"), "REFUSED") {
			return "refused"
		}
		waitForQueue(t, h)
		return fmt.Sprint(len(read[[]pipeline](t, f.forker.Send("GET", f.fork+"/pipelines?username="+c.User.Username, ""), 200)))
	}
	if got := push(f.maintainer); got != "0" {
		t.Errorf("a maintainer of the target who pushes to the fork gets %s pipelines, want none", got)
	}
	h.JoinProject(f.forked, f.maintainer.User, model.Reporter)
	if got := push(f.maintainer); got != "0" {
		t.Errorf("a reporter of the fork gets %s pipelines, want none", got)
	}
	if got := push(h.ProjectMember(f.forked, model.Developer)); got != "2" {
		t.Errorf("a developer of the fork gets %s pipelines, want those of the branch and of the merge request", got)
	}
	before := read[[]pipeline](t, f.forker.Send("GET", f.fork+"/pipelines", ""), 200)
	expect(t, f.developer.JSON("PUT", f.at(f.mr.IID, ""), `{"state_event":"close"}`), 200, "")
	expect(t, f.developer.JSON("PUT", f.at(f.mr.IID, ""), `{"state_event":"reopen"}`), 200, "")
	waitForQueue(t, h)
	if all := read[[]pipeline](t, f.forker.Send("GET", f.fork+"/pipelines", ""), 200); len(all) != len(before) {
		t.Errorf("a developer of the target who opens the merge request again makes %d pipelines in the fork", len(all)-len(before))
	}
}

func TestAuthorsWithoutARoleCannotLockTheirMergeRequest(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	f := newForkedWorkshop(t, h, "")
	lock := func(c *harness.Caller) string {
		expect(t, f.maintainer.JSON("PUT", f.at(f.mr.IID, ""), `{"discussion_locked":false}`), 200, "")
		status := c.JSON("PUT", f.at(f.mr.IID, ""), `{"discussion_locked":true}`).Status
		return fmt.Sprint(status, "/", member(t, f.forker.Send("GET", f.at(f.mr.IID, ""), ""), "discussion_locked"))
	}
	if got := lock(f.forker); got != "200/false" {
		t.Errorf("its author gets %s", got)
	}
	newCallersByRole(h, f.project).answers(t, "lock", "401/false 403/false 403/false 403/false 403/false 200/true "+
		"200/true 200/true 200/true",
		func(_ string, c *harness.Caller) string { return lock(c) })
}
