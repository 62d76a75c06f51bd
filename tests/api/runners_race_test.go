package api

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"svc/server/domain/ci/syntax"
	"svc/tests/harness"
)

// Two servers share one database with 200 jobs, and 16 runners request jobs as fast as they can.
func TestNoJobIsGivenTwice(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	servers := []*harness.H{h, harness.NewOnStore(t, h.Store)}
	owner := h.NewUser()
	const projects, each, pollers = 5, 40, 16
	for range projects {
		var jobs []syntax.Job
		for i := range each {
			jobs = append(jobs, aJob(fmt.Sprint("job", i), 0))
		}
		h.Pipeline(h.Project(*owner.User.NamespaceID), owner.User, jobs)
	}
	m := newFakeRunner(t, h, anyJobs)
	var mu sync.Mutex
	var wait sync.WaitGroup
	taken := map[int64]int{}
	for i := range pollers {
		caller := servers[i%len(servers)].Anonymous()
		body := fmt.Sprintf(`{"token":%q,"system_id":"s_%d"}`, m.token, i)
		wait.Go(func() {
			for idle := 0; idle < 3; {
				a := caller.JSON("POST", "/jobs/request", body)
				if a.Status != 201 {
					idle++
					continue
				}
				var g runnerJob
				if err := json.Unmarshal([]byte(a.Body), &g); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				taken[g.ID]++
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for id, n := range taken {
		if n != 1 {
			t.Errorf("job %d was given %d times", id, n)
		}
	}
	if len(taken) != projects*each {
		t.Errorf("%d jobs were given of %d", len(taken), projects*each)
	}
}
