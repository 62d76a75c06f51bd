package api

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestAJobTokenActsForItsUserWhileTheJobRuns(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p, other := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	foreign := h.Project(*h.NewUser().User.NamespaceID)
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0)})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	jobs := func(of model.Project) string { return fmt.Sprintf("/projects/%d/jobs", of.ID) }
	for _, caller := range []*harness.Caller{h.WithHeaders("JOB-TOKEN", g.Token), h.WithHeaders("Authorization", "Bearer "+g.Token)} {
		if a := caller.Send("GET", jobs(p), ""); a.Status != 200 {
			t.Errorf("its own project: %d %s", a.Status, a.Body)
		}
	}
	if a := h.Anonymous().Send("GET", jobs(p)+"?job_token="+g.Token, ""); a.Status != 200 {
		t.Errorf("as a parameter: %d", a.Status)
	}
	job := h.WithHeaders("JOB-TOKEN", g.Token)
	const noProject = `{"message":"404 Project Not Found"}`
	expect(t, job.Send("GET", jobs(other), ""), 404, noProject)
	expect(t, job.Send("GET", jobs(foreign), ""), 404, noProject)
	expect(t, job.Send("GET", fmt.Sprintf("/projects/%d/jobs/%d", p.ID, g.ID), ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, job.Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`)

	scope := fmt.Sprintf("/projects/%d/job_token_scope", other.ID)
	expect(t, owner.Send("GET", scope, ""), 200, `{"inbound_enabled":true,"outbound_enabled":false}`)
	list := scope + "/allowlist"
	expect(t, owner.JSON("POST", list, fmt.Sprintf(`{"target_project_id":%d}`, p.ID)), 201,
		fmt.Sprintf(`{"source_project_id":%d,"target_project_id":%d}`, other.ID, p.ID))
	if a := owner.JSON("POST", list, fmt.Sprintf(`{"target_project_id":%d}`, p.ID)); a.Status != 400 {
		t.Errorf("twice: %d", a.Status)
	}
	if a := owner.JSON("POST", list, fmt.Sprintf(`{"target_project_id":%d}`, foreign.ID)); a.Status != 404 {
		t.Errorf("a project that the caller does not see: %d", a.Status)
	}
	if a := owner.Send("GET", list, ""); a.Status != 200 || !strings.Contains(a.Body, p.FullPath) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := job.Send("GET", jobs(other), ""); a.Status != 200 {
		t.Errorf("a project that lets it in: %d", a.Status)
	}
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", list, p.ID), ""), 204, "")
	expect(t, job.Send("GET", jobs(other), ""), 404, noProject)
	expect(t, owner.JSON("PUT", fmt.Sprintf("/projects/%d", other.ID), `{"path":"renamed"}`), 200, "")
	// Its old path reveals nothing either.
	expect(t, job.Send("GET", "/projects/"+url.PathEscape(other.FullPath)+"/jobs", ""), 404, noProject)
	expect(t, owner.JSON("PATCH", scope, `{"enabled":false}`), 204, "")
	if a := job.Send("GET", jobs(other), ""); a.Status != 200 {
		t.Errorf("a project without a list: %d", a.Status)
	}
	expect(t, m.update(g, "success", ""), 200, "200")
	expect(t, job.Send("GET", jobs(p), ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestAProjectAllowsJobTokensOfAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	group := h.Group()
	p, target := h.Project(group.ID), h.Project(h.Group().ID)
	h.Pipeline(p, root.User, []syntax.Job{aJob("one", 0)})
	g := newFakeRunner(t, h, anyJobs).job()
	jobs, list := fmt.Sprintf("/projects/%d/jobs", target.ID), fmt.Sprintf("/projects/%d/job_token_scope/groups_allowlist", target.ID)
	if a := h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", jobs, ""); a.Status != 404 {
		t.Errorf("before: %d", a.Status)
	}
	expect(t, root.JSON("POST", list, fmt.Sprintf(`{"target_group_id":%d}`, group.ID)), 201,
		fmt.Sprintf(`{"source_project_id":%d,"target_group_id":%d}`, target.ID, group.ID))
	if a := h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", jobs, ""); a.Status != 200 {
		t.Errorf("then: %d %s", a.Status, a.Body)
	}
	if a := root.Send("GET", list, ""); a.Status != 200 || !strings.Contains(a.Body, group.FullPath) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	expect(t, root.Send("DELETE", fmt.Sprintf("%s/%d", list, group.ID), ""), 204, "")
	if a := root.Send("DELETE", fmt.Sprintf("%s/%d", list, group.ID), ""); a.Status != 404 {
		t.Errorf("twice: %d", a.Status)
	}
}

func TestAJobClonesItsRepository(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	created := owner.JSON("POST", "/projects", `{"name":"cloned","initialize_with_readme":true}`)
	if created.Status != 201 {
		t.Fatal(created)
	}
	var row struct{ ID int64 }
	decode(t, created, &row)
	h.Pipeline(model.Project{ID: row.ID}, owner.User, []syntax.Job{aJob("one", 0)})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	git := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := git("clone", "--depth", "1", g.GitInfo.RepoURL, "here"); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	dir := t.TempDir()
	if out, err := git("clone", g.GitInfo.RepoURL, dir+"/x"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := git("-C", dir+"/x", "push", "origin", "HEAD:refs/heads/new"); err == nil {
		t.Errorf("a job pushed: %s", out)
	}
	expect(t, m.update(g, "success", ""), 200, "200")
	if out, err := git("ls-remote", g.GitInfo.RepoURL); err == nil {
		t.Errorf("the token of a job that is done: %s", out)
	}
}
