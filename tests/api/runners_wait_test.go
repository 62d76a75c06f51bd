package api

import (
	"testing"
	"time"

	"svc/server/domain/ci/syntax"
	"svc/server/platform/config"
	"svc/tests/harness"
)

// A runner that sends last_update back waits, and gets a job as soon as there is one.
func TestARunnerWaitsForAJob(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.RunnerPoll = 20 * time.Second })
	h.StartWorker()
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	m := newFakeRunner(t, h, anyJobs)
	m.none("the first request does not wait")
	asked := make(chan harness.Answer)
	begin := time.Now()
	go func() { asked <- m.requestJob() }()
	select {
	case a := <-asked:
		t.Fatalf("it did not wait: %d", a.Status)
	case <-time.After(300 * time.Millisecond): // long enough to see that the runner waits
	}
	h.Pipeline(p, owner.User, []syntax.Job{aJob("now", 0)})
	h.Server.WakeRunners()
	if a := <-asked; a.Status != 201 || time.Since(begin) > 15*time.Second {
		t.Errorf("%d after %s", a.Status, time.Since(begin))
	}
}
