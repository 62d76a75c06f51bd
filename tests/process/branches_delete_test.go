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
	remote := func() string {
		return strings.Replace(s.URL, "://", "://oauth2:"+Token+"@", 1) + "/root/p.git"
	}
	push := []string{"push", "-q", remote(), "HEAD:refs/heads/main"}
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
		push := []string{"push", "-q", remote()}
		for i := range 60 {
			name := fmt.Sprintf("r%d/b%02d", round, i)
			want, push = append(want, name), append(push, "HEAD~1:refs/heads/"+name)
		}
		must(push...)
		killDeleting(t, s, st, int64(round))
		s = Start(t, place)
	}
	var left string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		out, err := exec.CommandContext(t.Context(), "git", "ls-remote", "--heads", remote()).Output()
		if err != nil {
			t.Fatal(err)
		}
		waiting := number(t, st, "SELECT count(*) FROM river_job WHERE kind = 'delete_merged_branches' AND state <> 'completed'") +
			number(t, st, "SELECT count(*) FROM pushes")
		if left = string(out); waiting == 0 && strings.Count(left, "\n") == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d are waiting; left are %s\n%s", waiting, left, s.Output())
		}
	}
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
	for limit := time.Now().Add(20 * time.Second); number(t, st, begun) <= before && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
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
