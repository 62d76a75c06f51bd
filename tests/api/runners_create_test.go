package api

import (
	"fmt"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestCreatingRunnersFollowsRoles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	group := h.Group()
	const path = "/user/runners"
	ofProject, ofGroup := fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, p.ID),
		fmt.Sprintf(`{"runner_type":"group_type","group_id":%d}`, group.ID)
	for body, want := range map[string]int{
		anyJobs: 403, ofProject: 201, ofGroup: 400, `{"runner_type":"group_type"}`: 400,
		`{"runner_type":"project_type"}`: 400,
	} {
		if a := owner.JSON("POST", path, body); a.Status != want {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
	}
	if a := h.ProjectMember(p, model.Maintainer).JSON("POST", path, ofProject); a.Status != 403 {
		t.Errorf("a maintainer: %d", a.Status)
	}
	if a := h.WithToken(h.Root().User, "create_runner").JSON("POST", path, anyJobs); a.Status != 201 {
		t.Errorf("the scope create_runner: %d %s", a.Status, a.Body)
	}
	expect(t, h.Root().JSON("POST", path, `{"runner_type":"instance_type","run_untagged":false}`), 400,
		`{"message":"400 Bad request - Tags list can not be empty when runner is not allowed to pick untagged jobs"}`)
	expect(t, h.Root().JSON("POST", path, `{"runner_type":"instance_type","maximum_timeout":10}`), 400,
		`{"message":"400 Bad request - Maximum timeout needs to be at least 10 minutes"}`)
}

func TestInvalidRunnersAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	open, hidden := h.Group(func(g *model.Namespace) { g.Visibility = model.Public }), h.Group()
	p := h.Project(open.ID, func(p *model.Project) { p.Visibility = model.Public })
	const path, no = "/user/runners", `{"message":"403 Forbidden - Insufficient permissions"}`
	const unknown = `{"message":"400 Bad request - Missing/invalid scope"}`
	ofGroup := func(id int64) string { return fmt.Sprintf(`{"runner_type":"group_type","group_id":%d}`, id) }
	ofProject := func(id int64) string { return fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, id) }
	expect(t, owner.JSON("POST", path, anyJobs), 403, no)
	expect(t, owner.JSON("POST", path, ofGroup(open.ID)), 403, no)
	expect(t, owner.JSON("POST", path, ofGroup(hidden.ID)), 400, unknown)
	expect(t, owner.JSON("POST", path, ofGroup(999999)), 400, unknown)
	expect(t, owner.JSON("POST", path, ofProject(p.ID)), 403, no)
	expect(t, owner.JSON("POST", path, ofProject(999999)), 400, unknown)
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
		expect(t, h.Member(open, role).JSON("POST", path, ofGroup(open.ID)), 403, no)
		expect(t, h.Member(open, role).JSON("POST", path, ofProject(p.ID)), 403, no)
	}
	expect(t, owner.JSON("POST", path, `{"runner_type":"group_type"}`), 400, `{"error":"group_id is missing"}`)
	expect(t, owner.JSON("POST", path, `{"runner_type":"project_type"}`), 400, `{"error":"project_id is missing"}`)
	expect(t, owner.JSON("POST", path, `{"runner_type":"odd"}`), 400, `{"error":"runner_type does not have a valid value"}`)
}

func TestBlockingAUserStopsTheirJobs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for what, send := range map[string]func(m *fakeRunner, g runnerJob) harness.Answer{
		"log": func(m *fakeRunner, g runnerJob) harness.Answer { return m.log(g, 7, "after\n") },
		"upload": func(m *fakeRunner, g runnerJob) harness.Answer {
			return m.upload(g, "artifact_format=gzip&artifact_type=junit", "report.xml.gz", "x")
		},
		"update": func(m *fakeRunner, g runnerJob) harness.Answer { return m.update(g, "success", "") },
		"download": func(_ *fakeRunner, g runnerJob) harness.Answer {
			return h.Anonymous().Send("GET", fmt.Sprintf("/jobs/%d/artifacts", g.ID), "", "Job-Token", g.Token)
		},
	} {
		m, g := jobOfBlockedUser(t, h)
		if a := send(m, g); a.Status != 403 || a.Header.Get("Job-Status") != "failed" {
			t.Errorf("%s: %d %s, job status %q", what, a.Status, a.Body, a.Header.Get("Job-Status"))
		}
		j := mustFind(t, h, g.ID)
		if m.status(g) != "failed user_blocked" || j.LogSize != 7 {
			t.Errorf("%s: the job is %s, its log has %d bytes", what, m.status(g), j.LogSize)
		}
	}
	_, g := jobOfBlockedUser(t, h)
	if a := h.WithHeaders("Job-Token", g.Token).Send("GET", "/job", ""); a.Status != 403 && a.Status != 401 {
		t.Errorf("the token of the job opens the API: %d %s", a.Status, a.Body)
	}
}

// jobOfBlockedUser returns a running job, with seven bytes of log and artifacts, whose user was blocked meanwhile.
func jobOfBlockedUser(t *testing.T, h *harness.H) (*fakeRunner, runnerJob) {
	t.Helper()
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	m := newFakeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"run_untagged":true}`, p.ID))
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0)})
	g := m.job()
	expect(t, m.log(g, 0, "before\n"), 202, "")
	expect(t, m.upload(g, "artifact_format=zip&artifact_type=archive", "artifacts.zip", zipped(t, "a", "b")), 201, "")
	expect(t, h.Root().Send("POST", fmt.Sprintf("/users/%d/block", owner.User.ID), ""), 201, "")
	return m, g
}
