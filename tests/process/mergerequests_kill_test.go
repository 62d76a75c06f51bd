package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store"
	"svc/tests/wait"
)

const (
	proposals = 24 // merge requests to merge
	mergers   = 3  // callers who merge at once
)

// prepare creates a project with a branch and a merge request for each number.
func prepare(t testing.TB, s *Server) {
	t.Helper()
	must := func(path, body string) {
		t.Helper()
		if status, answer, err := s.Do(t.Context(), "POST", "/api/v4/projects"+path, body); status != 201 {
			t.Fatal(status, answer, err)
		}
	}
	must("", `{"name":"p"}`)
	must(
		"/root%2Fp/repository/commits",
		`{"branch":"main","commit_message":"Begin","actions":[{"action":"create","file_path":"README.md","content":"x"}]}`,
	)
	for n := 1; n <= proposals; n++ {
		must("/root%2Fp/repository/commits", fmt.Sprintf(
			`{"branch":"b%d","start_branch":"main","commit_message":"B","actions":[{"action":"create","file_path":"f%d","content":"x"}]}`,
			n, n,
		))
		must("/root%2Fp/merge_requests", fmt.Sprintf(`{"source_branch":"b%d","target_branch":"main","title":"B%d"}`, n, n))
	}
}

// The server is killed several times while callers merge. Every merge that was answered with 200 is in the branch and
// has its event. Every other merge request is merged completely or not at all.
func TestAMergeIsCompleteOrAbsentAfterAKill(t *testing.T) {
	t.Parallel()
	place := NewPlace(t)
	server := Start(t, place)
	prepare(t, server)
	var mu sync.Mutex
	answered := map[int]bool{}
	left := make(chan int, 10*proposals)
	for n := 1; n <= proposals; n++ {
		left <- n
	}
	kills := 0
	for len(left) > 0 {
		var work sync.WaitGroup
		for range mergers {
			work.Go(func() {
				for {
					select {
					case n := <-left:
						status, _, err := server.Do(
							t.Context(), "PUT", fmt.Sprintf("/api/v4/projects/root%%2Fp/merge_requests/%d/merge", n),
							`{}`,
						)
						mu.Lock()
						answered[n] = answered[n] || status == 200
						mu.Unlock()
						if err != nil { // the server is gone; the merge may have happened
							left <- n
							return
						}
						if status == 409 { // other merges were faster each time
							left <- n
						}
					default:
						return
					}
				}
			})
		}
		if kills < 6 {
			kills++
			// The kill comes at a random moment of the merges.
			time.Sleep(time.Duration(100+rand.IntN(400)) * time.Millisecond)
			server.Signal(syscall.SIGKILL)
			server.End() //nolint:errcheck // killed
		}
		work.Wait()
		if kills <= 6 {
			server = Start(t, place)
		}
		if kills == 6 {
			kills++
		}
	}
	st := place.open(t)
	waitForPushes(t, st)
	checkMerges(t, st, server, answered)
}

// waitForPushes waits until the server has finished the pushes that a killed server left.
func waitForPushes(t testing.TB, st *store.Store) {
	t.Helper()
	wait.Until(t, "no project has an unfinished push", func() bool {
		rows, err := st.Pushes.Projects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return len(rows) == 0
	})
}

// checkMerges compares the merge requests of the API with the branch and the events.
func checkMerges(t testing.TB, st *store.Store, s *Server, answered map[int]bool) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "p")
	clone := exec.CommandContext(
		t.Context(), "git", "clone", "-q", s.remote(),
		folder,
	)
	clone.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	merged := 0
	for n := 1; n <= proposals; n++ {
		status, body, err := s.Do(t.Context(), "GET", fmt.Sprintf("/api/v4/projects/root%%2Fp/merge_requests/%d", n), "")
		if status != 200 {
			t.Fatal(status, body, err)
		}
		var mr struct {
			ID    int64
			State string
			SHA   *string `json:"merge_commit_sha"`
		}
		if err := json.Unmarshal([]byte(body), &mr); err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(filepath.Join(folder, fmt.Sprintf("f%d", n)))
		inBranch := err == nil
		var events int
		if err := st.SQL().QueryRowContext(
			t.Context(),
			fmt.Sprintf("SELECT count(*) FROM events WHERE action = 'merged' AND target_type = 'MergeRequest' AND target_id = %d", mr.ID),
		).Scan(&events); err != nil {
			t.Fatal(err)
		}
		is := mr.State == "merged"
		if is != inBranch || is != (events == 1) || is != (mr.SHA != nil) || events > 1 || answered[n] && !is {
			t.Errorf(
				"merge request %d is %s, in the branch: %v, events: %d, answered with 200: %v", n, mr.State, inBranch,
				events, answered[n],
			)
		}
		if is {
			merged++
		}
	}
	if merged < proposals/2 {
		t.Errorf("only %d are merged: too few to prove anything", merged)
	}
}
