package process

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
	"svc/tests/wait"
)

// pusher pushes to branches of its own until the server is gone.
type pusher struct {
	t      testing.TB
	folder string
	branch string
	done   *atomic.Int64 // pushes that have succeeded
}

func (p pusher) git(args ...string) error {
	cmd := exec.CommandContext(p.t.Context(), "git", args...)
	cmd.Dir = p.folder
	cmd.Env = append(os.Environ(), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=ann@example.com", "GIT_COMMITTER_NAME=Ann", "GIT_COMMITTER_EMAIL=ann@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git %v: %w\n%s", args, err, out)
	}
	return nil
}

func newPusher(t testing.TB, branch string) pusher {
	t.Helper()
	p := pusher{t, t.TempDir(), branch, &atomic.Int64{}}
	if err := p.git("init", "-q", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	return p
}

// push makes commits and pushes them until the server is gone. After every fourth push it deletes the branch.
func (p pusher) push(url string) {
	for n := 1; ; n++ {
		if err := p.git("commit", "-q", "--allow-empty", "-m", fmt.Sprint(n)); err != nil {
			p.t.Error(err)
			return
		}
		if p.git("push", "-q", url, "HEAD:refs/heads/"+p.branch, "HEAD:refs/heads/"+p.branch+"-two") != nil {
			return
		}
		p.done.Add(1)
		if n%4 == 0 && p.git("push", "-q", url, ":"+p.branch) != nil {
			return
		}
	}
}

// pushed returns how many pushes have succeeded.
func pushed(people []pusher) int64 {
	var n int64
	for _, p := range people {
		n += p.done.Load()
	}
	return n
}

// open opens the database of a place, even while servers use it.
func (p Place) open(t testing.TB) *store.Store {
	t.Helper()
	o := store.Options{SQLitePath: filepath.Join(p.Data, "svc.db"), Pool: 4}
	for _, line := range p.Env {
		if url, ok := strings.CutPrefix(line, "SVC_DATABASE_URL="); ok {
			o.URL = url
		}
	}
	st, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// The servers are killed several times while users push to them: with SQLite one server, with PostgreSQL one of two
// that share the repositories. Each ref has its old or its new value, and the events report exactly what has happened.
func TestRefsAndEventsAgreeAfterAKillDuringPushes(t *testing.T) {
	t.Parallel()
	places := []Place{Shared(t)}
	if storetest.Postgres() {
		places = append(places, places[0].Another(t))
	}
	servers := startAll(t, places)
	if status, body, err := servers[0].Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	people := make([]pusher, 4)
	for i := range people {
		people[i] = newPusher(t, fmt.Sprintf("b%d", i))
	}
	const rounds = 8
	for round := range rounds {
		killDuringPushes(t, servers, people, round%len(servers))
		servers = startAll(t, places)
	}
	st := places[0].open(t)
	waitForPushes(t, st)
	out, err := exec.CommandContext(t.Context(), "git", "ls-remote", servers[0].remote()).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkEvents(t, st, string(out))
}

// startAll starts a server at each place.
func startAll(t testing.TB, places []Place) []*Server {
	t.Helper()
	servers := make([]*Server, len(places))
	for i, p := range places {
		servers[i] = Start(t, p)
	}
	return servers
}

// remote returns the address of the repository root/p, with the credentials of the administrator.
func (s *Server) remote() string {
	return strings.Replace(s.URL, "://", "://oauth2:"+Token+"@", 1) + "/root/p.git"
}

// killDuringPushes kills the servers, one of them first, while all people push.
func killDuringPushes(t testing.TB, servers []*Server, people []pusher, victim int) {
	t.Helper()
	var work sync.WaitGroup
	before := pushed(people)
	for i, p := range people {
		url := servers[(victim+i%2*(len(servers)-1))%len(servers)].remote()
		work.Go(func() { p.push(url) })
	}
	wait.Until(t, "two pushes have succeeded", func() bool { return pushed(people) >= before+2 })
	// The kill comes at a random moment of the pushes.
	time.AfterFunc(time.Duration(rand.IntN(400))*time.Millisecond, func() { servers[victim].Signal(syscall.SIGKILL) })
	servers[victim].End() //nolint:errcheck // killed
	// The pushes to the other server continue for a moment, and then it is killed as well.
	for i, s := range servers {
		if i != victim {
			time.Sleep(150 * time.Millisecond)
			s.Signal(syscall.SIGKILL)
			s.End() //nolint:errcheck // killed
		}
	}
	work.Wait()
}

// checkEvents checks that the events of each branch form a chain without gaps, and end at the commit of the branch.
func checkEvents(t testing.TB, st *store.Store, refs string) {
	t.Helper()
	events, err := st.Pushes.Events(t.Context(), 1)
	if err != nil || len(events) < 20 {
		t.Fatalf("%d events, too few to prove anything: %v", len(events), err)
	}
	at := map[string]string{}
	for _, e := range events {
		from, to := "", ""
		if e.CommitFrom != nil {
			from = *e.CommitFrom
		}
		if e.CommitTo != nil {
			to = *e.CommitTo
		}
		if at[*e.Ref] != from || from == to {
			t.Errorf("event %d: %s goes from %q to %q, but was %q", e.ID, *e.Ref, from, to, at[*e.Ref])
		}
		at[*e.Ref] = to
	}
	for line := range strings.Lines(refs) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			if at[branch] != id {
				t.Errorf("%s is %s, the last event says %q", branch, id, at[branch])
			}
			delete(at, branch)
		}
	}
	for branch, id := range at {
		if id != "" {
			t.Errorf("%s is not there, the last event says %s", branch, id)
		}
	}
}
