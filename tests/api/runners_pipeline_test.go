package api

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	civars "svc/server/domain/ci/variables"
	"svc/store/model"
	"svc/tests/harness"
)

// A runner runs the job build and then the job test, which uses the artifacts and the dotenv variables of build.
func TestARunnerRunsAPipeline(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	build, test := aJob("build", 0), aJob("test", 1)
	build.Script, build.Artifacts = []string{"make"},
		&syntax.Artifacts{Paths: []string{"out"}, Reports: []syntax.Report{{Type: "dotenv", Paths: []string{"e"}}}}
	test.Script, test.Coverage = []string{"make check"}, `coverage: (\d+)%`
	test.Variables = []civars.Variable{{Key: "GREETING", Value: "hello $CI_JOB_NAME"}}
	h.Pipeline(p, owner.User, []syntax.Job{build, test})
	m := newFakeRunner(t, h, anyJobs)

	const first, second = "hello\n", "world\n"
	g := m.job()
	expectBuildJob(t, g, p)
	m.none("a job that runs is nobody else's")
	sendFirstPartOfLog(t, m, g, first)
	archive := zipped(t, "out/a.txt", "made")
	expect(t, m.upload(g, "artifact_format=zip&artifact_type=archive&expire_in=1+week", "artifacts.zip", archive), 201, "201")
	expect(t, m.upload(g, "artifact_format=zip&artifact_type=archive&expire_in=1+week", "artifacts.zip", archive), 201, "201")
	expect(t, m.upload(g, "artifact_format=raw&artifact_type=dotenv", ".env", "VERSION=7\n"), 201, "201")
	finishJobWithWholeLog(t, m, g, first, second)

	g2 := m.job()
	if g2.JobInfo.Name != "test" || g2.variable("VERSION") != "7" || g2.variable("GREETING") != "hello test" || len(g2.Dependencies) != 1 {
		t.Fatalf("the second job is %+v", g2)
	}
	downloadDependency(t, m, g, g2, archive)
	failJobWithCoverage(t, m, g2)
	m.none("all jobs are done")
}

func expectBuildJob(t *testing.T, g runnerJob, p model.Project) {
	t.Helper()
	if g.JobInfo.Name != "build" || g.Steps[0].Script[0] != "make" || g.RunnerInfo.Timeout != 3600 ||
		g.variable("CI_JOB_TOKEN") != g.Token {
		t.Errorf("the job is %+v", g)
	}
	if !strings.Contains(g.GitInfo.RepoURL, "gitlab-ci-token:"+g.Token+"@") || !strings.HasSuffix(g.GitInfo.RepoURL, p.FullPath+".git") {
		t.Errorf("the repository is at %s", g.GitInfo.RepoURL)
	}
}

// sendFirstPartOfLog reports that the job runs and sends the first six bytes of its log. Other offsets are refused.
func sendFirstPartOfLog(t *testing.T, m *fakeRunner, g runnerJob, text string) {
	t.Helper()
	if a := m.update(g, "running", `,"output":{}`); a.Status != 200 || a.Header.Get("Job-Status") != "running" {
		t.Errorf("a sign of life: %d %s", a.Status, a.Header.Get("Job-Status"))
	}
	if a := m.log(g, 0, text); a.Status != 202 || a.Header.Get("Range") != "0-6" ||
		a.Header.Get("Job-Status") != "running" || a.Header.Get("X-Gitlab-Trace-Update-Interval") == "" {
		t.Errorf("%d %v", a.Status, a.Header)
	}
	for _, offset := range []int{0, 3, 100} { // a resend, an overlap, a gap
		if a := m.log(g, offset, "other"); a.Status != 416 || a.Header.Get("Range") != "0-6" {
			t.Errorf("at %d: %d %v", offset, a.Status, a.Header)
		}
	}
}

// finishJobWithWholeLog shows that a job succeeds only after its whole log has arrived, and that it then has ended.
func finishJobWithWholeLog(t *testing.T, m *fakeRunner, g runnerJob, first, second string) {
	t.Helper()
	whole := crc32.ChecksumIEEE([]byte(first + second))
	finish := fmt.Sprintf(`,"exit_code":0,"output":{"checksum":"crc32:%08x","bytesize":12}`, whole)
	expect(t, m.update(g, "success", finish), 412, `{"message":"412 Precondition Failed"}`)
	m.log(g, 6, second)
	expect(t, m.update(g, "success", finish), 200, "200")
	if a := m.update(g, "success", finish); a.Status != 403 || a.Header.Get("Job-Status") != "success" {
		t.Errorf("a job that is done: %d %s", a.Status, a.Body)
	}
	expect(t, m.log(g, 12, "late"), 403, `{"message":"403 Forbidden - Job is not running"}`)
}

// downloadDependency downloads the artifacts of the job first, as the job second does.
func downloadDependency(t *testing.T, m *fakeRunner, first, second runnerJob, archive string) {
	t.Helper()
	d := second.Dependencies[0]
	if d.ID != first.ID || d.ArtifactsFile.Filename != "artifacts.zip" || d.ArtifactsFile.Size != int64(len(archive)) {
		t.Errorf("the dependency is %+v", d)
	}
	path := fmt.Sprintf("/jobs/%d/artifacts?direct_download=true", d.ID)
	with := func(token string) *harness.Caller { return m.h.WithHeaders("Job-Token", token) }
	expect(t, with(d.Token).Send("GET", path, ""), 200, archive)
	expect(t, with(d.Token).Send("GET", path, "", "Range", "bytes=2-5"), 206, archive[2:6])
	expect(t, with(first.Token).Send("GET", path, ""), 403, `{"message":"403 Forbidden - Job is not running"}`)
	expect(t, with("wrong").Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
}

// failJobWithCoverage lets a job fail after its log has named its coverage three times. The last number counts.
func failJobWithCoverage(t *testing.T, m *fakeRunner, g runnerJob) {
	t.Helper()
	m.log(g, 0, "coverage: 80%\n\x1b[32mcoverage: 93.5%\x1b[0m\ncoverage: 87%\n")
	expect(t, m.update(g, "failed", `,"failure_reason":"script_failure","exit_code":3`), 200, "200")
	j, err := m.h.Store.Jobs.Find(t.Context(), g.ID)
	if err != nil || j.Coverage == nil || *j.Coverage != 87 || j.ExitCode == nil || *j.ExitCode != 3 ||
		m.status(g) != "failed script_failure" {
		t.Errorf("%+v, %v", j, err)
	}
}
