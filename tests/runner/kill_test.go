package runner

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"svc/tests/wait"
)

const lines = 120

// slowFile has a job that prints lines for more than ten seconds.
var slowFile = fmt.Sprintf(`
slow:
  script:
    - for i in $(seq 1 %d); do echo "this is line $i of the work"; sleep 0.1; done
    - echo "the work is done"
`, lines)

// kill kills the server at a certain moment of a log upload, and waits until it is dead.
func (w *Setup) kill(moment string) {
	w.t.Helper()
	dead := make(chan struct{})
	kill := sync.OnceFunc(func() {
		w.Signal(syscall.SIGKILL)
		w.Server.End() //nolint:errcheck // killed
		close(dead)
	})
	switch moment {
	case "it goes to the server":
		w.Watch(kill, nil)
	case "it is acknowledged":
		w.Watch(nil, func() error { kill(); return nil })
	case "its acknowledgement is lost":
		w.Watch(nil, func() error { kill(); return errors.New("the server hung up") })
	}
	<-dead
	w.Watch(nil, nil)
}

// The server is killed several times while a job prints. The runner continues by itself, and the log is complete.
func TestAJobOfTheOfficialRunnerSurvivesKillsOfTheServer(t *testing.T) {
	t.Parallel()
	w := NewSetup(t)
	w.register()
	w.Runner.Run()
	w.Push(map[string]string{".gitlab-ci.yml": slowFile})
	p := w.Newest("push")
	job := w.WaitForJob(p.ID, "slow", "running")
	wait.Until(t, "the log begins", func() bool { return w.Acknowledged(job.ID) != "" })
	for _, moment := range []string{"it is acknowledged", "it goes to the server", "its acknowledgement is lost"} {
		w.kill(moment)
		w.Start()
		if now := w.Jobs(p.ID)["slow"]; now.ID != job.ID || now.Status != "running" {
			t.Fatalf("killed when %s: the job is %+v", moment, now)
		}
		if log, acknowledged := w.Log(job.ID), w.Acknowledged(job.ID); !strings.HasPrefix(log, acknowledged) {
			t.Fatalf("killed when %s: %d bytes were acknowledged, now there are %d", moment, len(acknowledged), len(log))
		}
	}
	w.WaitForJob(p.ID, "slow", "success")
	w.WaitForPipeline(p.ID, "success")
	log := w.Log(job.ID)
	if log != w.Acknowledged(job.ID) {
		t.Errorf("the log has %d bytes, acknowledged are %d", len(log), len(w.Acknowledged(job.ID)))
	}
	found := regexp.MustCompile(`this is line (\d+) of the work\r?\n`).FindAllStringSubmatch(log, -1)
	if len(found) != lines || !strings.Contains(log, "the work is done") {
		t.Fatalf("%d lines are in the log:\n%s", len(found), log)
	}
	for i, m := range found {
		if m[1] != fmt.Sprint(i+1) {
			t.Fatalf("line %s is where %d should be", m[1], i+1)
		}
	}
	if n := w.Count("POST /jobs/request 201"); n != 1 {
		t.Errorf("the job was given %d times", n)
	}
}
