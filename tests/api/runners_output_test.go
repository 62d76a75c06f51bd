package api

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/tests/harness"
)

// The service compares the size and checksum that the runner reports at the end with the stored log.
func TestTheLogIsComparedWithTheChecksumOfTheRunner(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	const text = "hello\n"
	good := fmt.Sprintf("crc32:%08x", crc32.ChecksumIEEE([]byte(text)))
	const differs = "This log is damaged: its checksum differs from that of the runner."
	for name, c := range map[string]struct {
		output string
		status int
		noted  bool
	}{
		"nothing":             {`{}`, 200, false},
		"only the size":       {`{"bytesize":6}`, 200, false},
		"all":                 {`{"checksum":"` + good + `","bytesize":6}`, 200, false},
		"more bytes":          {`{"checksum":"crc32:00000000","bytesize":7}`, 412, false},
		"fewer bytes":         {`{"checksum":"crc32:00000000","bytesize":5}`, 200, true},
		"another checksum":    {`{"checksum":"crc32:00000000","bytesize":6}`, 200, true},
		"no checksum of ours": {`{"checksum":"md5:0","bytesize":6}`, 200, true},
	} {
		h.Pipeline(p, owner.User, []syntax.Job{aJob(name, 0)})
		m := newFakeRunner(t, h, anyJobs)
		g := m.job()
		m.log(g, 0, text)
		if a := m.update(g, "success", `,"output":`+c.output); a.Status != c.status {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
		log := owner.Send("GET", fmt.Sprintf("/projects/%d/jobs/%d/trace", p.ID, g.ID), "")
		if log.Status != 200 || !strings.HasPrefix(log.Body, "hello") || strings.Contains(log.Body, differs) != c.noted {
			t.Errorf("%s: the log is %d %q", name, log.Status, log.Body)
		}
		if c.status == 412 {
			expect(t, m.update(g, "success", ""), 200, "200")
		}
	}
}

// An instance runner gets the number of jobs that instance runners already run for the project. Other runners get no
// such number.
func TestARunnerGetsTheNumberOfRunningJobsOfTheProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p, other := h.Project(*owner.User.NamespaceID), h.Project(*owner.User.NamespaceID)
	h.Pipeline(p, owner.User, []syntax.Job{aJob("one", 0), aJob("two", 0), aJob("three", 0), aJob("four", 0)})
	shared := newFakeRunner(t, h, anyJobs)
	own := newFakeRunner(t, h, fmt.Sprintf(`{"runner_type":"project_type","project_id":%d}`, p.ID))
	count := func(m *fakeRunner) string {
		var told struct {
			JobInfo struct {
				Count string `json:"project_jobs_running_on_instance_runners_count"`
			} `json:"job_info"`
		}
		decode(t, m.requestJob(), &told)
		return told.JobInfo.Count
	}
	for _, c := range []struct {
		m    *fakeRunner
		want string
	}{{shared, "0"}, {own, "+Inf"}, {shared, "1"}, {shared, "2"}} {
		if got := count(c.m); got != c.want {
			t.Errorf("the runner is told %q, want %q", got, c.want)
		}
	}
	h.Pipeline(other, owner.User, []syntax.Job{aJob("five", 0)})
	if got := count(shared); got != "0" {
		t.Errorf("another project: %q", got)
	}
}
