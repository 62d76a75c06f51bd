package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	ciVariables "svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// jobProject is a project with a pipeline whose jobs the test runs.
type jobProject struct {
	*harness.H
	t        *testing.T
	owner    *harness.Caller
	project  model.Project
	pipeline store.NewPipeline
}

func newJobProject(t *testing.T, jobs []syntax.Job, edit ...func(*model.Project)) *jobProject {
	t.Helper()
	s := &jobProject{H: harness.New(t), t: t}
	s.owner = s.NewUser()
	s.project = s.Project(*s.owner.User.NamespaceID, edit...)
	s.pipeline = s.Pipeline(s.project, s.owner.User, jobs)
	return s
}

func (s *jobProject) path(n int, rest string) string {
	return fmt.Sprintf("/projects/%d/jobs/%d%s", s.project.ID, s.pipeline.Jobs[n].ID, rest)
}

// run runs a job to its end and writes its log.
func (s *jobProject) run(n int, log string, debug bool) {
	s.t.Helper()
	j := s.pipeline.Jobs[n]
	s.ClaimJob(j)
	if log != "" {
		s.WriteLog(j, log, debug)
	}
	s.FinishJob(j, engine.Outcome{Success: true})
}

func (s *jobProject) keep(n int, kind, format, name, content string) {
	s.t.Helper()
	s.AddArtifact(s.pipeline.Jobs[n], artifacts.Upload{FileType: kind, FileFormat: format, Filename: name}, content)
}

func TestALogIsReadAndErased(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{aJob("build", 0), aJob("test", 1)})
	expect(t, s.owner.Send("GET", s.path(0, "/trace"), ""), 404, `{"message":"404 Not Found"}`)
	expect(t, s.owner.Send("POST", s.path(0, "/erase"), ""), 403, `{"message":"403 Forbidden - Job is not erasable!"}`)
	s.run(0, "\x1b[32mhello\x1b[0m\n", false)
	log := s.owner.Send("GET", s.path(0, "/trace"), "")
	expect(t, log, 200, "\x1b[32mhello\x1b[0m")
	if got, want := log.Header.Get("Content-Disposition"), fmt.Sprintf(`infile; filename="%d.log"`, s.pipeline.Jobs[0].ID); got != want ||
		log.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("%s, %s", got, log.Header.Get("Content-Type"))
	}
	part := s.owner.Send("GET", s.path(0, "/trace"), "", "Range", "bytes=5-9")
	expect(t, part, 206, "hello")
	if got := part.Header.Get("Content-Range"); got != "bytes 5-9/15" {
		t.Error(got)
	}
	expect(t, s.owner.Send("GET", s.path(0, "/trace"), "", "Range", "bytes=15-"), 416, `{"error":"416 Range Not Satisfiable"}`)
	if head := s.owner.Send("HEAD", s.path(0, "/trace"), ""); head.Status != 200 || head.Body != "" ||
		head.Header.Get("Content-Length") != "15" {
		t.Errorf("%+v", head)
	}
	s.keep(0, "archive", "zip", "artifacts.zip", "0123")
	s.keep(0, "junit", "gzip", "junit.xml.gz", "01")
	body := s.owner.Send("GET", s.path(0, ""), "").Body
	for _, want := range []string{
		`"artifacts_file":{"filename":"artifacts.zip","size":4}`,
		`"artifacts":[{"file_type":"archive","size":4,"filename":"artifacts.zip","file_format":"zip"},` +
			`{"file_type":"junit","size":2,"filename":"junit.xml.gz","file_format":"gzip"},{"file_type":"trace",` +
			`"size":15,"filename":"job.log","file_format":"raw"}]`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s lacks %s", body, want)
		}
	}
	erased := s.owner.Send("POST", s.path(0, "/erase"), "")
	if expect(t, erased, 201, ""); !strings.Contains(erased.Body, `"artifacts":[]`) ||
		strings.Contains(erased.Body, `"erased_at":null`) || strings.Contains(erased.Body, "artifacts_file") {
		t.Error(erased.Body)
	}
	expect(t, s.owner.Send("POST", s.path(0, "/erase"), ""), 403, `{"message":"403 Forbidden - Job is not erasable!"}`)
	expect(t, s.owner.Send("GET", s.path(0, "/trace"), ""), 404, `{"message":"404 Not Found"}`)
	expect(t, s.owner.Send("GET", s.path(0, "9/trace"), ""), 404, "")
	expect(t, s.owner.Send("GET", fmt.Sprintf("/projects/%d/jobs/%d/trace", s.project.ID, s.pipeline.Jobs[1].ID+7), ""),
		404, `{"message":"404 Not found"}`)
}

func TestReadingAndErasingLogsFollowsRoles(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, []syntax.Job{
		aJob("plain", 0), aJob("debug", 0), aJob("own", 0),
	}, func(p *model.Project) { p.Visibility = model.Public })
	s.run(0, "plain", false)
	s.run(1, "secret", true)
	developer, reporter, stranger := s.ProjectMember(s.project, model.Developer), s.ProjectMember(s.project, model.Reporter), s.NewUser()
	for _, c := range []struct {
		who          *harness.Caller
		plain, debug int
	}{{s.Anonymous(), 401, 401}, {stranger, 200, 403}, {reporter, 200, 403}, {developer, 200, 200}} {
		if got := c.who.Send("GET", s.path(0, "/trace"), ""); got.Status != c.plain {
			t.Errorf("%s: %d", c.who.User.Username, got.Status)
		}
		if got := c.who.Send("GET", s.path(1, "/trace"), ""); got.Status != c.debug {
			t.Errorf("%s: debug %d", c.who.User.Username, got.Status)
		}
	}
	for _, who := range []*harness.Caller{developer, reporter, stranger} {
		expect(t, who.Send("POST", s.path(0, "/erase"), ""), 403, `{"message":"403 Forbidden"}`)
	}
	own := s.Pipeline(s.project, developer.User, []syntax.Job{aJob("a", 0), aJob("b", 0)}, func(n *store.NewPipeline) {
		for i := range n.Jobs {
			n.Jobs[i].Ref = []string{"side", "kept"}[i]
		}
	})
	expect(t, s.owner.JSON("POST", fmt.Sprintf("/projects/%d/protected_branches", s.project.ID), `{"name":"kept"}`), 201, "")
	s.pipeline = own
	s.run(0, "x", false)
	s.run(1, "x", false)
	expect(t, developer.Send("POST", s.path(1, "/erase"), ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, developer.Send("POST", s.path(0, "/erase"), ""), 201, "")
	expect(t, s.ProjectMember(s.project, model.Maintainer).Send("POST", s.path(1, "/erase"), ""), 201, "")
}

// CI_DEBUG_TRACE makes the runner write secrets into the log. The variable restricts who reads the log, whatever the
// runner reports.
func TestALogWithDebugTraceIsRestricted(t *testing.T) {
	t.Parallel()
	with := func(name, key, value string) syntax.Job {
		job := aJob(name, 0)
		job.Variables = []ciVariables.Variable{ciVariables.Public(key, value)}
		return job
	}
	s := newJobProject(t, []syntax.Job{
		with("trace", "CI_DEBUG_TRACE", "true"), with("services", "CI_DEBUG_SERVICES", "1"),
		with("off", "CI_DEBUG_TRACE", "false"), aJob("plain", 0),
	},
		func(p *model.Project) { p.Visibility = model.Public })
	runner := newFakeRunner(t, s.H, anyJobs)
	reporter, developer := s.ProjectMember(s.project, model.Reporter), s.ProjectMember(s.project, model.Developer)
	for range s.pipeline.Jobs {
		g := runner.job()
		expect(t, runner.log(g, 0, "text"), 202, "")
		want := 403
		if g.JobInfo.Name == "off" || g.JobInfo.Name == "plain" {
			want = 200
		}
		path := fmt.Sprintf("/projects/%d/jobs/%d", s.project.ID, g.ID)
		expect(t, reporter.Send("GET", path+"/trace", ""), want, "")
		expect(t, s.NewUser().Send("GET", path+"/trace", ""), want, "")
		expect(t, developer.Send("GET", path+"/trace", ""), 200, "text")
		if got := developer.Send("GET", path, ""); !strings.Contains(got.Body,
			`{"file_type":"trace","size":4,"filename":"job.log","file_format":"raw"}`) {
			t.Error(got.Body)
		}
	}
}

func TestAJobIsPlayed(t *testing.T) {
	t.Parallel()
	manual := aJob("deploy", 0)
	manual.When = "manual"
	bridge := aJob("bridge", 0)
	bridge.When, bridge.Trigger = "manual", &syntax.Trigger{Project: "x/y"}
	s := newJobProject(t, []syntax.Job{manual, bridge, aJob("build", 0)})
	expect(t, s.owner.JSON("POST", s.path(2, "/play"), `{}`), 400, `{"message":"400 Bad request - Unplayable Job"}`)
	expect(t, s.owner.JSON("POST", s.path(0, "/play"), `{"job_variables_attributes":[{"key":"no way","value":"x"}]}`), 400, "")
	played := read[job](t,
		s.owner.JSON("POST", s.path(0, "/play"), `{"job_variables_attributes":[{"key":"A","value":"1"},{"key":"A","value":"2"}]}`), 200)
	if played.ID != s.pipeline.Jobs[0].ID || played.Status != "pending" {
		t.Errorf("%+v", played)
	}
	expect(t, s.owner.Send("POST", s.path(0, "/play"), ""), 400, `{"message":"400 Bad request - Unplayable Job"}`)
	if got := read[job](t, s.owner.Send("POST", s.path(1, "/play"), ""), 200); got.ID != s.pipeline.Jobs[1].ID {
		t.Errorf("%+v", got)
	}
	s.run(0, "", false)
	again := read[job](t, s.owner.JSON("POST", s.path(0, "/play"), `{"job_variables_attributes":[{"key":"B","value":"3"}]}`), 200)
	if again.ID == played.ID || again.Status != "pending" {
		t.Errorf("%+v", again)
	}
	expect(t, s.owner.Send("POST", s.path(0, "/play"), ""), 400, `{"message":"400 Bad request - Unplayable Job"}`)
	expect(t, s.ProjectMember(s.project, model.Reporter).Send("POST", s.path(0, "/play"), ""), 403, "")
}

func TestListsOfJobsAreRateLimited(t *testing.T) {
	t.Parallel()
	s := newJobProject(t, nil)
	path := fmt.Sprintf("/projects/%d/jobs", s.project.ID)
	for range 1200 { // enough for two rate limit windows
		if got := s.owner.Send("GET", path, ""); got.Status == 429 {
			expect(t, got, 429, `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`)
			return
		}
	}
	t.Error("nobody was refused")
}
