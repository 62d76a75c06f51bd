package process

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/store"
	"svc/tests/wait"
)

// The server is killed while it deletes merged branches. The next one continues: all branches are deleted, and each has
// one event.
func TestTheDeletionOfMergedBranchesIsFinishedAfterAKill(t *testing.T) {
	t.Parallel()
	place := Shared(t)
	s := Start(t, place)
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	p := newPusher(t, "main")
	push := []string{"push", "-q", s.remote(), "HEAD:refs/heads/main"}
	must := func(args ...string) {
		t.Helper()
		if err := p.git(args...); err != nil {
			t.Fatalf("%.300v\n%s", err, s.Output())
		}
	}
	must("commit", "-q", "--allow-empty", "-m", "first")
	must("commit", "-q", "--allow-empty", "-m", "second")
	must(push...)
	var want []string
	st := place.open(t)
	for round := range 2 {
		push := []string{"push", "-q", s.remote()}
		for i := range 60 {
			name := fmt.Sprintf("r%d/b%02d", round, i)
			want, push = append(want, name), append(push, "HEAD~1:refs/heads/"+name)
		}
		must(push...)
		killDeleting(t, s, st, int64(round))
		s = Start(t, place)
	}
	wait.Until(t, "all deletions are done", func() bool {
		return number(t, st, "SELECT count(*) FROM river_job WHERE kind = 'delete_merged_branches' AND state <> 'completed'") == 0 &&
			number(t, st, "SELECT count(*) FROM pushes") == 0
	})
	wait.Until(t, "only the main branch is left", func() bool {
		out, err := exec.CommandContext(t.Context(), "git", "ls-remote", "--heads", s.remote()).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(out), "\n") == 1
	})
	slices.Sort(want)
	if told := removedBranches(t, st); !slices.Equal(told, want) {
		t.Errorf("%d are told, want %d: %v", len(told), len(want), told)
	}
}

// killDeleting requests the deletion of merged branches and kills the server in the middle of it. before is the number
// of such jobs that were begun earlier.
func killDeleting(t *testing.T, s *Server, st *store.Store, before int64) {
	t.Helper()
	if status, body, err := s.Do(t.Context(), "DELETE", "/api/v4/projects/root%2Fp/repository/merged_branches", ""); status != 202 {
		t.Fatal(status, body, err)
	}
	begun := "SELECT count(*) FROM river_job WHERE kind = 'delete_merged_branches' AND state <> 'available'"
	wait.Until(t, "the deletion has begun", func() bool { return number(t, st, begun) > before })
	time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond) // the kill comes at a random moment of the deletion
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
}

// removedBranches returns the branches of the first project that have an event of their deletion.
func removedBranches(t *testing.T, st *store.Store) []string {
	t.Helper()
	events, err := st.Pushes.Events(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range events {
		if *e.PushAction == "removed" {
			names = append(names, *e.Ref)
		}
	}
	slices.Sort(names)
	return names
}
