package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// runningJob makes a project of a new user with a pipeline of two jobs, and a runner that runs the first job.
func runningJob(t *testing.T, h *harness.H) (owner *harness.Caller, n store.NewPipeline, m *fakeRunner, g runnerJob) {
	t.Helper()
	owner = h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	n = h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0), aJob("two", 0)})
	m = newFakeRunner(t, h, anyJobs)
	return owner, n, m, m.job()
}

func TestAJobReadsItselfWithItsToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, n, _, g := runningJob(t, h)
	got := h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", "/job", "")
	var shown struct {
		ID       int64
		Name     string
		Status   string
		Pipeline struct{ ID int64 }
		User     struct{ Username string }
		Runner   *struct{ ID int64 }
	}
	if decode(t, got, &shown); got.Status != 200 || shown.ID != g.ID || shown.Name != "one" || shown.Status != "running" ||
		shown.Pipeline.ID != n.Pipeline.ID || shown.User.Username != owner.User.Username || shown.Runner == nil {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for _, null := range []string{"coverage", "finished_at", "erased_at", "artifacts_expire_at"} {
		if !strings.Contains(got.Body, `"`+null+`":null`) {
			t.Errorf("%s is not null in %s", null, got.Body)
		}
	}
}

func TestTheTokenOfAJobIsAcceptedOnlyAsAJobToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, _, m, g := runningJob(t, h)
	const nobody, noJob = `{"message":"401 Unauthorized"}`, `{"message":"404 Job Not Found"}`
	for _, path := range []string{"/job", "/job/allowed_agents"} {
		for _, caller := range []*harness.Caller{
			h.WithHeaders("JOB-TOKEN", g.Token), h.WithHeaders("Authorization", "Bearer "+g.Token),
			h.WithHeaders("authorization", "bearer "+g.Token),
		} {
			expect(t, caller.Send("GET", path, ""), 200, "")
		}
		expect(t, h.Anonymous().Send("GET", path+"?job_token="+g.Token, ""), 200, "")
		expect(t, h.Anonymous().Send("GET", path, ""), 401, nobody)
		for _, caller := range []*harness.Caller{
			h.WithHeaders("JOB-TOKEN", "wrong"), h.WithHeaders("PRIVATE-TOKEN", g.Token), h.WithHeaders("JOB-TOKEN", m.token),
		} {
			expect(t, caller.Send("GET", path, ""), 401, nobody)
		}
		for _, query := range []string{"private_token", "access_token", "token"} {
			expect(t, h.Anonymous().Send("GET", path+"?"+query+"="+g.Token, ""), 401, nobody)
		}
		expect(t, owner.Send("GET", path, ""), 404, noJob)
		expect(t, h.Root().Send("GET", path, ""), 404, noJob)
	}
}

func TestTheTokenOfAJobEndsWithTheJobAndWithABlockedUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, _, m, g := runningJob(t, h)
	expect(t, m.update(g, "success", ""), 200, "200")
	for _, path := range []string{"/job", "/job/allowed_agents"} {
		expect(t, h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", path, ""), 401, `{"message":"401 Unauthorized"}`)
	}
	g = m.job()
	if err := h.Store.Users.Update(t.Context(), owner.User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	expect(t, h.WithHeaders("JOB-TOKEN", g.Token).Send("GET", "/job", ""), 403,
		`{"message":"403 Forbidden - Your account has been blocked."}`)
}

// agentListing is the answer of GET /job/allowed_agents.
type agentListing struct {
	AllowedAgents []struct {
		ID            int64
		ConfigProject map[string]any `json:"config_project"`
	} `json:"allowed_agents"`
	Job, Pipeline struct{ ID int64 }
	Project       struct {
		ID     int64
		Groups []struct{ ID int64 }
	}
	User        map[string]any
	Environment *struct{ Slug, Tier string }
}

// addAgent registers a cluster agent in a project.
func addAgent(t *testing.T, c *harness.Caller, p model.Project, name string) {
	t.Helper()
	a := c.JSON("POST", fmt.Sprintf("/projects/%d/cluster_agents", p.ID), fmt.Sprintf(`{"name":%q}`, name))
	if a.Status != 201 {
		t.Fatal(a)
	}
}

func TestAJobListsTheAgentsThatItMayUse(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	top := h.Group()
	below := h.Group(func(g *model.Namespace) { g.ParentID = &top.ID })
	p, other := h.Project(below.ID), h.Project(below.ID)
	addAgent(t, root, p, "production")
	addAgent(t, root, other, "theirs")
	deploy := aJob("deploy", 0)
	deploy.Environment = &syntax.Environment{Name: "production"}
	n := h.Pipeline(p, root.User, []syntax.Job{deploy, aJob("plain", 0)}, func(n *store.NewPipeline) {
		name := "production"
		n.Jobs[0].Environment = &name
	})
	m := newFakeRunner(t, h, anyJobs)
	got := h.WithHeaders("JOB-TOKEN", m.job().Token).Send("GET", "/job/allowed_agents", "")
	shown := read[agentListing](t, got, 200)
	if agents := shown.AllowedAgents; len(agents) != 1 || agents[0].ConfigProject["path_with_namespace"] != p.FullPath ||
		len(agents[0].ConfigProject) != 7 {
		t.Errorf("the agents are in %s", got.Body)
	}
	if shown.Job.ID != n.Jobs[0].ID || shown.Pipeline.ID != n.Pipeline.ID || shown.Project.ID != p.ID ||
		len(shown.User) != 6 || shown.User["username"] != root.User.Username {
		t.Error(got.Body)
	}
	if groups := fmt.Sprint(shown.Project.Groups); groups != fmt.Sprintf("[{%d} {%d}]", below.ID, top.ID) {
		t.Errorf("the groups are %s", groups)
	}
	expectEnvironmentOfAgents(t, shown, h.WithHeaders("JOB-TOKEN", m.job().Token))
}

// expectEnvironmentOfAgents checks that a job which deploys shows its environment, and that another job shows none.
func expectEnvironmentOfAgents(t *testing.T, deploys agentListing, plain *harness.Caller) {
	t.Helper()
	if e := deploys.Environment; e == nil || e.Slug != "production" || e.Tier != "production" {
		t.Errorf("the environment is %+v", e)
	}
	got := plain.Send("GET", "/job/allowed_agents", "")
	if got.Status != 200 || strings.Contains(got.Body, "environment") {
		t.Errorf("a job without an environment: %d %s", got.Status, got.Body)
	}
}

func TestAJobListsNoAgentsInAProjectOfAUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, owner := h.Root(), h.NewUser()
	addAgent(t, root, h.Project(h.Group().ID), "theirs")
	h.Pipeline(h.Project(*owner.User.NamespaceID), owner.User, []syntax.Job{aJob("one", 0)})
	m := newFakeRunner(t, h, anyJobs)
	shown := read[agentListing](t, h.WithHeaders("JOB-TOKEN", m.job().Token).Send("GET", "/job/allowed_agents", ""), 200)
	if shown.AllowedAgents == nil || len(shown.AllowedAgents) != 0 || shown.Project.Groups == nil || len(shown.Project.Groups) != 0 {
		t.Errorf("a project of a user without agents: %+v", shown)
	}
}

func TestAJobTokenDownloadsArtifacts(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	s := &jobProject{H: h, t: t, owner: h.NewUser()}
	s.project = s.Project(*s.owner.User.NamespaceID)
	s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("build", 0)})
	content := anArchive(t, "out/a.txt", "made")
	s.keep(0, "archive", "zip", "artifacts.zip", content)
	s.run(0, "", false)
	paths := map[string]string{
		s.path(0, "/artifacts"): content, s.path(0, "/artifacts/out/a.txt"): "made",
		fmt.Sprintf("/projects/%d/jobs/artifacts/main/download?job=build", s.project.ID):      content,
		fmt.Sprintf("/projects/%d/jobs/artifacts/main/raw/out/a.txt?job=build", s.project.ID): "made",
	}
	m := newFakeRunner(t, h, anyJobs)
	elsewhere := s.Project(*s.owner.User.NamespaceID)
	h.Pipeline(s.project, s.owner.User, []syntax.Job{aJob("inside", 0)})
	inside := m.job()
	h.Pipeline(elsewhere, s.owner.User, []syntax.Job{aJob("outside", 0)})
	outside := m.job()
	const noProject = `{"message":"404 Project Not Found"}`
	for path, want := range paths {
		expect(t, h.WithHeaders("JOB-TOKEN", inside.Token).Send("GET", path, ""), 200, want)
		expect(t, h.WithHeaders("Authorization", "Bearer "+inside.Token).Send("GET", path, ""), 200, want)
		expect(t, h.WithHeaders("JOB-TOKEN", outside.Token).Send("GET", path, ""), 404, noProject)
	}
	expect(t, h.Anonymous().Send("GET", s.path(0, "/artifacts")+"?job_token="+inside.Token, ""), 200, content)
	if a := s.owner.JSON("POST", fmt.Sprintf("/projects/%d/job_token_scope/allowlist", s.project.ID),
		fmt.Sprintf(`{"target_project_id":%d}`, elsewhere.ID)); a.Status != 201 {
		t.Fatal(a)
	}
	for path, want := range paths {
		expect(t, h.WithHeaders("JOB-TOKEN", outside.Token).Send("GET", path, ""), 200, want)
	}
	// Operations that change something, and other operations that show jobs, do not accept a job token.
	for path, method := range map[string]string{
		s.path(0, "/artifacts"): "DELETE", s.path(0, "/artifacts/keep"): "POST", s.path(0, ""): "GET", s.path(0, "/trace"): "GET",
		fmt.Sprintf("/projects/%d/artifacts", s.project.ID): "DELETE", fmt.Sprintf("/projects/%d/pipelines", s.project.ID): "GET",
	} {
		expect(t, h.WithHeaders("JOB-TOKEN", inside.Token).Send(method, path, ""), 401, `{"message":"401 Unauthorized"}`)
	}
	// The token gives no access if the user of the job cannot see the project.
	stranger := h.NewUser()
	h.Pipeline(elsewhere, stranger.User, []syntax.Job{aJob("stranger", 0)})
	expect(t, h.WithHeaders("JOB-TOKEN", m.job().Token).Send("GET", s.path(0, "/artifacts"), ""), 404, noProject)
	expect(t, m.update(inside, "success", ""), 200, "200")
	expect(t, h.WithHeaders("JOB-TOKEN", inside.Token).Send("GET", s.path(0, "/artifacts"), ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestAJobTokenRunsPipelinesInProjectsThatAllowIt(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": simpleCI})
	from := h.Project(r.project.NamespaceID, called("from", model.Private))
	h.Pipeline(from, r.maintainer.User, []syntax.Job{aJob("one", 0)})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	body := `{"token":"` + g.Token + `","ref":"main"}`
	run := r.path + "/trigger/pipeline"
	expect(t, h.Anonymous().JSON("POST", run, body), 404, `{"message":"404 Not Found"}`)
	if err := h.Store.JobTokenScopes.AllowProject(t.Context(), r.project.ID, from.ID); err != nil {
		t.Fatal(err)
	}
	if got := read[pipeline](t, h.Anonymous().JSON("POST", run, body), 201); got.Source != "pipeline" ||
		got.User.Username != r.maintainer.User.Username {
		t.Errorf("%+v", got)
	}
	expect(t, h.WithHeaders("JOB-TOKEN", g.Token).JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 401, `{"message":"401 Unauthorized"}`)
	expect(t, m.update(g, "success", ""), 200, "200")
	expect(t, h.Anonymous().JSON("POST", run, body), 404, `{"message":"404 Not Found"}`)
}

func TestAPipelineThatPassedWithWarningsSaysSo(t *testing.T) {
	t.Parallel()
	may := aJob("may", 0)
	may.AllowFailure = true
	s := newJobProject(t, []syntax.Job{aJob("must", 0), may})
	path := fmt.Sprintf("/projects/%d/pipelines/%d", s.project.ID, s.pipeline.Pipeline.ID)
	type detail struct {
		Status   string
		Detailed struct{ Icon, Text, Label, Group, Tooltip, Favicon string } `json:"detailed_status"`
	}
	s.run(0, "", false)
	s.ClaimJob(s.pipeline.Jobs[1])
	if got := read[detail](t, s.owner.Send("GET", path, ""), 200); got.Status != "running" || got.Detailed.Icon != "status_running" {
		t.Errorf("%+v", got)
	}
	s.FinishJob(s.pipeline.Jobs[1], engine.Outcome{Reason: "script_failure"})
	got := read[detail](t, s.owner.Send("GET", path, ""), 200)
	if d := got.Detailed; got.Status != "success" || d.Icon != "status_warning" || d.Text != "Warning" ||
		d.Label != "passed with warnings" || d.Tooltip != "passed with warnings" || d.Group != "success-with-warnings" {
		t.Errorf("%+v", got)
	}
	if picture := s.Anonymous().Send("GET", got.Detailed.Favicon, ""); picture.Status != 200 ||
		picture.Header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%s: %d %s", got.Detailed.Favicon, picture.Status, picture.Header.Get("Content-Type"))
	}
	// The retried job succeeds, so the pipeline has no warnings.
	again := read[struct{ ID int64 }](t, s.owner.Send("POST", s.path(1, "/retry"), ""), 201)
	j, err := s.Store.Jobs.Find(t.Context(), again.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.ClaimJob(j)
	s.FinishJob(j, engine.Outcome{Success: true})
	if got := read[detail](t, s.owner.Send("GET", path, ""), 200); got.Detailed.Icon != "status_success" || got.Detailed.Label != "passed" {
		t.Errorf("%+v", got)
	}
}

func TestListsOfJobsHaveNoTotalCount(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("a", 0), aJob("b", 0), aJob("c", 0)})
	path := fmt.Sprintf("/projects/%d/jobs?per_page=2", s.project.ID)
	for page, next := range map[string]string{"1": "2", "2": "", "3": ""} {
		got := s.owner.Send("GET", path+"&page="+page, "")
		if got.Status != 200 || got.Header.Get("X-Next-Page") != next || got.Header.Get("X-Total") != "" ||
			got.Header.Get("X-Total-Pages") != "" || strings.Contains(got.Header.Get("Link"), `rel="last"`) {
			t.Errorf("page %s: %d %v", page, got.Status, got.Header)
		}
		if !strings.Contains(got.Header.Get("Link"), `rel="first"`) {
			t.Error(got.Header.Get("Link"))
		}
	}
	of := s.owner.Send("GET", fmt.Sprintf("/projects/%d/pipelines/%d/jobs?per_page=2", s.project.ID, s.pipeline.Pipeline.ID), "")
	if of.Header.Get("X-Total") != "3" {
		t.Errorf("the jobs of a pipeline: %v", of.Header)
	}
}

func TestAWrongScopeIsRefused(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("a", 0)})
	pipeline := fmt.Sprintf("/projects/%d/pipelines/%d", s.project.ID, s.pipeline.Pipeline.ID)
	for _, path := range []string{fmt.Sprintf("/projects/%d/jobs", s.project.ID), pipeline + "/jobs", pipeline + "/bridges"} {
		for _, query := range []string{"scope=none", "scope[]=none", "scope[]=failed&scope[]=none", "scope=failed,none"} {
			expect(t, s.owner.Send("GET", path+"?"+query, ""), 400, `{"error":"scope does not have a valid value"}`)
		}
		for _, query := range []string{"scope=", "scope=failed,running"} { // an empty scope counts as missing
			expect(t, s.owner.Send("GET", path+"?"+query, ""), 200, "")
		}
		for _, status := range []string{
			"created", "waiting_for_resource", "preparing", "pending", "running", "success", "failed", "canceled",
			"skipped", "manual", "scheduled",
		} {
			expect(t, s.owner.Send("GET", path+"?scope="+status, ""), 200, "")
			expect(t, s.owner.Send("GET", path+"?scope[]="+status+"&scope[]=failed", ""), 200, "")
		}
	}
}

func TestAJobGetsTheLanguagesOfItsProject(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("a", 0)})
	for name, share := range map[string]float64{"Go": 80, "CSS": 20} {
		if _, err := s.Store.SQL().ExecContext(t.Context(),
			"INSERT INTO project_languages (project_id, name, share) VALUES ($1, $2, $3)", s.project.ID, name, share); err != nil {
			t.Fatal(err)
		}
	}
	if got := newFakeRunner(t, s.H, anyJobs).job().variable("CI_PROJECT_REPOSITORY_LANGUAGES"); got != "go,css" {
		t.Errorf("the languages are %q", got)
	}
}
