package api

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// fakeRunner is a runner that behaves like the official program.
type fakeRunner struct {
	t     *testing.T
	h     *harness.H
	token string
	last  string // last_update

	features []string // what its program supports
}

// runnerJob is a job in the response to a runner, with the members that tests check.
type runnerJob struct {
	ID      int64  `json:"id"`
	Token   string `json:"token"`
	JobInfo struct {
		Name string `json:"name"`
	} `json:"job_info"`
	GitInfo struct {
		RepoURL string `json:"repo_url"`
		SHA     string `json:"sha"`
	} `json:"git_info"`
	RunnerInfo struct {
		Timeout int `json:"timeout"`
	} `json:"runner_info"`
	Variables []struct {
		Key, Value          string
		Public, Masked, Raw bool
	} `json:"variables"`
	Steps []struct {
		Name   string   `json:"name"`
		Script []string `json:"script"`
	} `json:"steps"`
	Dependencies []struct {
		ID            int64  `json:"id"`
		Token         string `json:"token"`
		ArtifactsFile struct {
			Filename string `json:"filename"`
			Size     int64  `json:"size"`
		} `json:"artifacts_file"`
	} `json:"dependencies"`
}

func (g runnerJob) variable(key string) string {
	for _, v := range g.Variables {
		if v.Key == key {
			return v.Value
		}
	}
	return ""
}

// newFakeRunner creates a runner; body is the body of POST /user/runners.
func newFakeRunner(t *testing.T, h *harness.H, body string) *fakeRunner {
	t.Helper()
	created := h.Root().JSON("POST", "/user/runners", body)
	if created.Status != 201 {
		t.Fatal(created)
	}
	var answer struct{ Token string }
	decode(t, created, &answer)
	if !strings.HasPrefix(answer.Token, "glrt-") {
		t.Fatalf("the token is %s", answer.Token)
	}
	return &fakeRunner{t: t, h: h, token: answer.Token}
}

func decode(t *testing.T, a harness.Answer, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Body), into); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
}

// requestJob requests a job once.
func (m *fakeRunner) requestJob() harness.Answer {
	m.t.Helper()
	features := map[string]bool{"variables": true}
	for _, name := range m.features {
		features[name] = true
	}
	body, _ := json.Marshal(map[string]any{
		"token": m.token, "system_id": "s_1", "last_update": m.last,
		"info": map[string]any{
			"name": "gitlab-runner", "version": "19.4.0", "platform": "linux", "architecture": "amd64",
			"executor": "shell", "features": features,
		},
	})
	a := m.h.Anonymous().Send("POST", "/jobs/request", string(body), "Content-Type", "application/json", "Runner-Token", m.token)
	if last := a.Header.Get("X-GitLab-Last-Update"); last != "" {
		m.last = last
	}
	return a
}

// job requests a job and fails the test if there is none.
func (m *fakeRunner) job() runnerJob {
	m.t.Helper()
	a := m.requestJob()
	var g runnerJob
	if a.Status != 201 {
		m.t.Fatalf("no job: %d %s", a.Status, a.Body)
	}
	decode(m.t, a, &g)
	return g
}

func (m *fakeRunner) none(why string) {
	m.t.Helper()
	if a := m.requestJob(); a.Status != 204 {
		m.t.Errorf("%s: %d %s", why, a.Status, a.Body)
	}
}

func (m *fakeRunner) log(g runnerJob, offset int, text string) harness.Answer {
	m.t.Helper()
	return m.h.Anonymous().Send("PATCH", fmt.Sprintf("/jobs/%d/trace?debug_trace=false", g.ID), text,
		"Job-Token", g.Token, "Content-Range", fmt.Sprintf("%d-%d", offset, offset+len(text)-1), "Content-Type", "text/plain")
}

func (m *fakeRunner) update(g runnerJob, state, more string) harness.Answer {
	m.t.Helper()
	body := fmt.Sprintf(`{"token":%q,"state":%q,"info":{"name":"gitlab-runner"}%s}`, g.Token, state, more)
	return m.h.Anonymous().Send("PUT", fmt.Sprintf("/jobs/%d", g.ID), body, "Content-Type", "application/json", "Job-Token", g.Token)
}

func (m *fakeRunner) upload(g runnerJob, query, name, data string) harness.Answer {
	m.t.Helper()
	return m.h.WithHeaders("Job-Token", g.Token).File("POST", fmt.Sprintf("/jobs/%d/artifacts?%s", g.ID, query), nil, "file",
		name, "application/octet-stream", data)
}

const anyJobs = `{"runner_type":"instance_type","description":"test"}`

func (m *fakeRunner) status(g runnerJob) string {
	m.t.Helper()
	j, err := m.h.Store.Jobs.Find(m.t.Context(), g.ID)
	if err != nil {
		m.t.Fatal(err)
	}
	if j.FailureReason != nil {
		return j.Status + " " + *j.FailureReason
	}
	return j.Status
}

func zipped(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCancelingAJobStopsTheRunner(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	n := h.Pipeline(p, owner.User, []syntax.Job{aJob("long", 0)})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	expect(t, m.log(g, 0, "a"), 202, `"0-1"`)
	cancel := owner.Send("POST", fmt.Sprintf("/projects/%d/jobs/%d/cancel", p.ID, n.Jobs[0].ID), "")
	if cancel.Status != 201 {
		t.Fatal(cancel)
	}
	told := m.log(g, 1, "b").Header.Get("Job-Status")
	if told != "canceling" && told != "canceled" {
		t.Errorf("the runner is told %q", told)
	}
	if told == "canceling" {
		expect(t, m.update(g, "failed", ""), 200, "200")
	}
	if got := m.status(g); got != "canceled" {
		t.Errorf("the job is %s", got)
	}
}

func TestARunnerGetsOnlyJobsThatMatchItsTagsAndSettings(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	group := h.Group()
	own, grouped := h.Project(*owner.User.NamespaceID), h.Project(group.ID)
	tagged := aJob("tagged", 0)
	tagged.Tags = []string{"gpu", "linux"}
	plain := newFakeRunner(t, h, anyJobs)
	gpu := newFakeRunner(t, h, `{"runner_type":"instance_type","tag_list":["linux","gpu","more"]}`)
	paused := newFakeRunner(t, h, `{"runner_type":"instance_type","paused":true}`)
	protected := newFakeRunner(t, h, `{"runner_type":"instance_type","access_level":"ref_protected"}`)
	ofGroup := newFakeRunner(t, h, fmt.Sprintf(`{"runner_type":"group_type","group_id":%d}`, group.ID))
	ofProject := newFakeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, own.ID))

	h.Pipeline(own, owner.User, []syntax.Job{tagged})
	for _, m := range []*fakeRunner{plain, paused, protected, ofGroup, ofProject} {
		m.none("a job with tags that the runner has not")
	}
	if g := gpu.job(); g.JobInfo.Name != "tagged" {
		t.Errorf("got %s", g.JobInfo.Name)
	}
	h.Pipeline(own, owner.User, []syntax.Job{aJob("one", 0), aJob("two", 0), aJob("three", 0)})
	for _, m := range []*fakeRunner{gpu, paused, protected, ofGroup} {
		m.none("a job without tags")
	}
	ofProject.job()
	plain.job()
	if err := h.Store.Projects.Update(t.Context(), own.ID, map[string]any{"shared_runners_enabled": false}); err != nil {
		t.Fatal(err)
	}
	plain.none("the project wants no runners of the instance")
	ofProject.job()
	h.Pipeline(grouped, owner.User, []syntax.Job{aJob("four", 0), aJob("five", 0)}, func(n *store.NewPipeline) {
		n.Pipeline.Protected, n.Jobs[0].Protected = true, true
	})
	ofProject.none("another project's job")
	if g := protected.job(); g.JobInfo.Name != "four" {
		t.Errorf("got %s", g.JobInfo.Name)
	}
	protected.none("a job of a ref that is not protected")
	ofGroup.job()
}

func TestRunnersAlternateBetweenProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	a, b := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	h.Pipeline(a, owner.User, []syntax.Job{aJob("a1", 0), aJob("a2", 0), aJob("a3", 0)})
	h.Pipeline(b, owner.User, []syntax.Job{aJob("b1", 0), aJob("b2", 0)})
	m := newFakeRunner(t, h, anyJobs)
	var got []string
	for range 5 {
		got = append(got, m.job().JobInfo.Name)
	}
	if order := strings.Join(got, " "); order != "a1 b1 a2 b2 a3" {
		t.Errorf("the order is %s", order)
	}
}

func TestAJobThatCannotRunFails(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, other := h.NewUser(), h.NewUser()
	p, closed := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	blocked := h.Pipeline(p, other.User, []syntax.Job{aJob("blocked", 0)})
	disabled := h.Pipeline(closed, owner.User, []syntax.Job{aJob("disabled", 0)})
	broken := h.Pipeline(p, owner.User, []syntax.Job{aJob("broken", 0)}, func(n *store.NewPipeline) { n.Specs[0].Spec = "{" })
	h.Pipeline(p, owner.User, []syntax.Job{aJob("good", 0)})
	for _, err := range []error{
		h.Store.Users.Update(t.Context(), other.User.ID, map[string]any{"state": model.UserBlocked}),
		h.Store.Projects.Update(t.Context(), closed.ID, map[string]any{"builds_access_level": model.FeatureDisabled}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := newFakeRunner(t, h, anyJobs)
	if g := m.job(); g.JobInfo.Name != "good" {
		t.Errorf("got %s", g.JobInfo.Name)
	}
	for id, want := range map[int64]string{
		blocked.Jobs[0].ID: "failed user_blocked", disabled.Jobs[0].ID: "failed builds_disabled",
		broken.Jobs[0].ID: "failed data_integrity_failure",
	} {
		if got := m.status(runnerJob{ID: id}); got != want {
			t.Errorf("job %d is %s, want %s", id, got, want)
		}
	}
}

func TestMissingArtifactsFailAJobThatNamesThem(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	test := aJob("test", 1)
	test.Dependencies = []string{"build"}
	h.Pipeline(p, owner.User, []syntax.Job{aJob("build", 0), test})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	expect(t, m.upload(g, "expire_in=1s", "artifacts.zip", zipped(t, "a", "b")), 201, "201")
	expect(t, m.update(g, "success", ""), 200, "200")
	if _, err := h.Store.JobArtifacts.DeleteExpired(t.Context(), time.Now().Add(time.Hour), 10); err != nil {
		t.Fatal(err)
	}
	m.none("the artifacts were deleted")
	jobs, err := h.Store.Jobs.Newest(t.Context(), mustFind(t, h, g.ID).PipelineID)
	if err != nil || m.status(runnerJob{ID: jobs[1].ID}) != "failed missing_dependency_failure" {
		t.Errorf("%v: %s", err, m.status(runnerJob{ID: jobs[1].ID}))
	}
}

func mustFind(t *testing.T, h *harness.H, id int64) model.Job {
	t.Helper()
	j, err := h.Store.Jobs.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestALogThatIsTooLongEndsTheJob(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxLogSize, c.MaxArtifactSize = 1, 1 })
	owner := h.NewUser()
	h.Pipeline(h.Project(*owner.User.NamespaceID), owner.User, []syntax.Job{aJob("loud", 0)})
	m := newFakeRunner(t, h, anyJobs)
	g := m.job()
	expect(t, m.upload(g, "", "a.zip", strings.Repeat("a", 1<<20+1)), 413, `{"message":"413 Request Entity Too Large"}`)
	if a := m.log(g, 0, strings.Repeat("x", 1<<20)); a.Status != 202 {
		t.Fatal(a)
	}
	if a := m.log(g, 1<<20, "x"); a.Status != 403 || a.Header.Get("Job-Status") != "failed" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if got := m.status(g); got != "failed trace_size_exceeded" {
		t.Errorf("the job is %s", got)
	}
}

func TestInvalidTokensOfRunnersAndJobsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0), aJob("two", 0)})
	m := newFakeRunner(t, h, anyJobs)
	one, two := m.job(), m.job()
	const no = `{"message":"403 Forbidden"}`
	anybody := h.Anonymous()
	for _, call := range []string{
		"POST /jobs/request", "POST /runners/verify", "DELETE /runners", "POST /runners/reset_authentication_token",
	} {
		method, path, _ := strings.Cut(call, " ")
		expect(t, anybody.JSON(method, path, `{"token":"glrt-wrong"}`), 403, no)
		expect(t, anybody.JSON(method, path, `{"token":"`+one.Token+`"}`), 403, no)
	}
	expect(t, anybody.JSON("POST", "/jobs/request", `{}`), 400, `{"error":"token is missing"}`)
	mixed := one
	mixed.Token = two.Token
	for _, g := range []runnerJob{
		mixed,
		{ID: one.ID, Token: "wrong"},
		{ID: 987654, Token: one.Token},
		{ID: one.ID, Token: m.token},
		{ID: one.ID},
	} {
		expect(t, m.log(g, 0, "x"), 403, no)
		expect(t, m.update(g, "success", ""), 403, no)
		expect(t, m.upload(g, "", "a.zip", "x"), 403, no)
	}
	if a := m.update(one, "pending", ""); a.Status != 400 {
		t.Errorf("an unknown state: %d", a.Status)
	}
	path := fmt.Sprintf("/jobs/%d/trace", one.ID)
	expect(t, h.WithHeaders("Job-Token", one.Token).Send("PATCH", path, "x", "Content-Type", "text/plain"), 400,
		`{"error":"400 Missing header Content-Range"}`)
	expect(t, h.WithHeaders("Job-Token", one.Token).Send("PATCH", path, "x", "Content-Type", "text/plain", "Content-Range", "x-y"),
		400, `{"error":"400 Content-Range is invalid"}`)
	expect(t, m.upload(one, "artifact_type=dotenv&artifact_format=raw", ".env", "no variables"), 400,
		`{"message":"400 Bad request - dotenv artifact has an invalid format in line 1"}`)
	expect(t, m.upload(one, "expire_in=soon", "a.zip", "x"), 400, `{"error":"expire_in is invalid"}`)
	expect(t, m.upload(one, "", "../../a.zip", "x"), 201, "201")
	expect(t, m.upload(one, "", "a.zip", "y"), 400, `{"message":"400 Bad request - another artifact of the same type already exists"}`)
	if a, err := h.Store.JobArtifacts.Get(t.Context(), one.ID, "archive"); err != nil || a.Filename != "a.zip" {
		t.Errorf("the file is called %q, %v", a.Filename, err)
	}
}

func TestRunnersAreRegisteredVerifiedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	m := newFakeRunner(t, h, anyJobs)
	anybody := h.Anonymous()
	verify := func(token string) harness.Answer {
		return anybody.JSON("POST", "/runners/verify", `{"token":"`+token+`","system_id":"s_9","info":{"version":"19.4.0"}}`)
	}
	if a := verify(m.token); a.Status != 200 || !strings.Contains(a.Body, m.token) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	reset := anybody.JSON("POST", "/runners/reset_authentication_token", `{"token":"`+m.token+`"}`)
	var fresh struct{ Token string }
	decode(t, reset, &fresh)
	if reset.Status != 201 || verify(m.token).Status != 403 || verify(fresh.Token).Status != 200 {
		t.Errorf("reset: %d", reset.Status)
	}
	expect(t, anybody.JSON("DELETE", "/runners/managers", `{"token":"`+fresh.Token+`","system_id":"s_9"}`), 204, "")
	if a := anybody.JSON("DELETE", "/runners/managers", `{"token":"`+fresh.Token+`","system_id":"s_9"}`); a.Status != 404 {
		t.Errorf("a machine that is gone: %d", a.Status)
	}
	expect(t, anybody.JSON("DELETE", "/runners", `{"token":"`+fresh.Token+`"}`), 204, "")
	if a := verify(fresh.Token); a.Status != 403 {
		t.Errorf("a runner that is gone: %d", a.Status)
	}
}
