package process

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
	"svc/tests/wait"
)

// nodes are the processes of one instance, behind a balancer. With SQLite there is only one.
type nodes struct {
	t       testing.TB
	places  []Place
	servers []*Server
	front   *Balancer
}

// startNodes starts three processes of an instance with the project root/p, or one with SQLite.
func startNodes(t *testing.T, env ...string) *nodes {
	t.Helper()
	return startNodesAt(t, Shared(t), env...)
}

// startNodesAt does the same with a place that several processes can share.
func startNodesAt(t *testing.T, place Place, env ...string) *nodes {
	t.Helper()
	n := &nodes{t: t, places: []Place{place}, front: NewBalancer(t)}
	n.places[0].Env = append(n.places[0].Env, env...)
	if storetest.Postgres() {
		n.places = append(n.places, n.places[0].Another(t), n.places[0].Another(t))
	}
	n.servers = make([]*Server, len(n.places))
	n.servers[0] = startWithProject(t, n.places[0])
	n.front.Set(t, 0, n.servers[0])
	for i := 1; i < len(n.places); i++ {
		n.start(i)
	}
	return n
}

// start starts a process, and lets the balancer use it.
func (n *nodes) start(i int) {
	n.t.Helper()
	n.servers[i] = Start(n.t, n.places[i])
	n.front.Set(n.t, i, n.servers[i])
}

// entry returns the balancer as a server, for requests only.
func (n *nodes) entry() *Server { return &Server{URL: n.front.URL, t: n.t} }

// traffic is the load of several clients, and what was answered.
type traffic struct {
	stop   context.CancelFunc
	work   sync.WaitGroup
	mu     sync.Mutex
	served map[string]int // answers by kind of request
	files  []string       // files whose commits were acknowledged
	failed []failure
}

// failure is a request that did not succeed.
type failure struct {
	began time.Time
	what  string
}

func (f *traffic) record(kind string, began time.Time, ok bool, what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if ok {
		f.served[kind]++
		return
	}
	f.failed = append(f.failed, failure{began, kind + ": " + what})
}

// count returns how many requests of a kind have succeeded.
func (f *traffic) count(kind string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.served[kind]
}

// end stops the clients.
func (f *traffic) end() {
	f.stop()
	f.work.Wait()
}

// failedAfter returns the requests that began after a time and failed.
func (f *traffic) failedAfter(at time.Time) (texts []string) {
	for _, one := range f.failed {
		if one.began.After(at) {
			texts = append(texts, one.began.Sub(at).String()+" later: "+one.what)
		}
	}
	return texts
}

// beginTraffic reads, commits, pushes and asks for jobs through a server until the traffic ends.
func beginTraffic(t *testing.T, s *Server) *traffic {
	t.Helper()
	var runner struct{ Token string }
	s.ask("POST", "/api/v4/user/runners", `{"runner_type":"instance_type"}`, 201, &runner)
	ctx, stop := context.WithCancel(t.Context())
	f := &traffic{stop: stop, served: map[string]int{}}
	again := func(kind string, request func(n int) (ok bool, what string)) {
		f.work.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				began := time.Now()
				if ok, what := request(n); ok || ctx.Err() == nil {
					f.record(kind, began, ok, what)
				}
			}
		})
	}
	for range 2 {
		again("read", func(int) (bool, string) {
			status, body, err := s.Do(ctx, "GET", readme, "")
			return err == nil && status == 200, fmt.Sprint(status, body, err)
		})
	}
	for w := range 2 {
		again("commit", func(n int) (bool, string) {
			name := fmt.Sprintf("w%d-%d", w, n)
			status, body, err := s.Do(ctx, "POST", "/api/v4/projects/root%2Fp/repository/files/"+name,
				`{"branch":"main","commit_message":"x","content":"x"}`)
			if err == nil && status == 201 {
				f.mu.Lock()
				f.files = append(f.files, name)
				f.mu.Unlock()
				return true, ""
			}
			return false, fmt.Sprint(status, body, err)
		})
	}
	again("job request", func(int) (bool, string) {
		status, body, err := s.Do(ctx, "POST", "/api/v4/jobs/request", fmt.Sprintf(`{"token":%q}`, runner.Token))
		return err == nil && (status == 204 || status == 201), fmt.Sprint(status, body, err)
	})
	p := newPusher(t, "pushed")
	again("push", func(n int) (bool, string) {
		if err := p.git("commit", "-q", "--allow-empty", "-m", fmt.Sprint(n)); err != nil {
			return false, err.Error()
		}
		err := p.git("push", "-q", s.remote(), "HEAD:refs/heads/pushed")
		if err == nil {
			p.done.Add(1)
			return true, ""
		}
		return false, err.Error()
	})
	return f
}

// checkKept checks that every process has every file whose commit was acknowledged.
func (n *nodes) checkKept(f *traffic) {
	n.t.Helper()
	if len(f.files) < 5 || f.served["read"] < 20 || f.served["push"] < 2 {
		n.t.Errorf("too few requests to prove anything: %v", f.served)
	}
	for i, s := range n.servers {
		_, body, err := s.Do(n.t.Context(), "GET", "/api/v4/projects/root%2Fp", "")
		if err != nil {
			n.t.Fatalf("process %d: %v %s", i, err, body)
		}
		for _, name := range f.files {
			s.ask("GET", "/api/v4/projects/root%2Fp/repository/files/"+name+"/raw?ref=main", "", 200, nil)
		}
	}
}

// A process is killed under load. What it had acknowledged is there, and once the balancer has noticed, no request fails.
func TestAKilledProcessCostsNoRequestOnceTheBalancerHasNoticed(t *testing.T) {
	t.Parallel()
	n := startNodes(t, "SVC_RUNNER_POLL=1s")
	f := beginTraffic(t, n.entry())
	wait.Until(t, "some commits are acknowledged", func() bool { return f.count("commit") >= 6 && f.count("push") >= 2 })
	n.servers[0].Signal(syscall.SIGKILL)
	n.servers[0].End() //nolint:errcheck // killed
	var noticed time.Time
	wait.Until(t, "the balancer has noticed", func() bool { noticed = n.front.Noticed(0); return !noticed.IsZero() })
	if len(n.servers) == 1 { // with SQLite there is no other process: the next one goes on
		n.start(0)
		noticed = time.Now()
	}
	before := f.count("commit")
	wait.Until(t, "commits go on", func() bool { return f.count("commit") >= before+10 })
	if len(n.servers) > 1 {
		n.start(0)
	}
	f.end()
	if late := f.failedAfter(noticed); len(late) > 0 {
		t.Errorf("%d requests failed although the balancer had noticed:\n%s", len(late), strings.Join(late, "\n"))
	}
	n.checkKept(f)
}

// The processes are restarted one after the other under load. No request fails.
func TestARollingRestartCostsNoRequest(t *testing.T) {
	t.Parallel()
	if !storetest.Postgres() {
		t.Log("SQLite serves one process")
		return
	}
	n := startNodes(t, "SVC_SHUTDOWN_DELAY=1s", "SVC_RUNNER_POLL=1s")
	f := beginTraffic(t, n.entry())
	for i := range n.servers {
		before := f.count("commit")
		wait.Until(t, "commits go on", func() bool { return f.count("commit") >= before+5 })
		n.servers[i].stop()
		n.start(i)
	}
	f.end()
	for _, one := range f.failed {
		t.Errorf("a request failed: %s", one.what)
	}
	n.checkKept(f)
}

// leader returns the process that queues the periodic jobs.
func leader(t testing.TB, st *store.Store) (id string) {
	t.Helper()
	rows, err := st.SQL().QueryContext(t.Context(), "SELECT leader_id FROM river_leader")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return id
}

// leading returns the number of the process that is the leader, or -1.
func (n *nodes) leading(st *store.Store) int {
	id := leader(n.t, st)
	for i, s := range n.servers {
		if strings.Contains(id, fmt.Sprintf("_%d_", s.cmd.Process.Pid)) {
			return i
		}
	}
	return -1
}

// The process that queues the periodic jobs is killed, and then the clock of the database is set back by an hour: the
// process seems to have been alive a moment ago, and for an hour to come. Others take over nevertheless.
func TestTheWorkOfALeaderMovesWithin15SecondsEvenIfTheClockJumps(t *testing.T) {
	t.Parallel()
	n := startNodes(t)
	st := n.places[0].open(t)
	for _, jump := range []bool{false, true} {
		victim := -1
		wait.Until(t, "there is a leader", func() bool { victim = n.leading(st); return victim >= 0 })
		n.servers[victim].Signal(syscall.SIGKILL)
		n.servers[victim].End() //nolint:errcheck // killed
		killed := time.Now()
		old := leader(t, st)
		if jump {
			setBack(t, st, old)
		}
		if len(n.servers) == 1 {
			n.start(0) // with SQLite the next process goes on
		}
		wait.Until(t, "there is another leader", func() bool { now := leader(t, st); return now != "" && now != old })
		took := time.Since(killed)
		t.Logf("with a jump %t: another process is the leader after %.1f s", jump, took.Seconds())
		if took > 15*time.Second {
			t.Errorf("with a jump %t: it took %s", jump, took)
		}
		if len(n.servers) > 1 {
			n.start(victim)
		}
	}
}

// setBack moves the times that a dead process has left one hour into the future.
func setBack(t testing.TB, st *store.Store, process string) {
	t.Helper()
	changes := []string{
		"UPDATE river_leader SET elected_at = now() + interval '1 hour', expires_at = now() + interval '1 hour' WHERE leader_id = $1",
		"UPDATE queue_processes SET seen_at = now() + interval '1 hour' WHERE id = $1",
	}
	if !st.Postgres() {
		changes = []string{"UPDATE river_leader SET expires_at = strftime('%Y-%m-%d %H:%M:%f', 'now', '+1 hour') WHERE leader_id = $1"}
	}
	for _, change := range changes {
		if _, err := st.SQL().ExecContext(t.Context(), change, process); err != nil {
			t.Fatal(err)
		}
	}
}

// A process with another URL is refused, and svc admin set-url changes the URL of the instance.
func TestAllProcessesHaveOneURL(t *testing.T) {
	t.Parallel()
	p := Shared(t)
	const first, second = "SVC_URL=https://git.example.com", "SVC_URL=https://code.example.com"
	with := func(p Place, line string) Place {
		return Place{Data: p.Data, Env: append(append([]string{}, p.Env...), line)}
	}
	Launch(t, with(p, first)).waitEnded(t)
	if !storetest.Postgres() { // there is one process, which may change the URL
		Launch(t, with(p, second)).waitEnded(t)
		return
	}
	texts := []string{"the URL of this instance is https://git.example.com", "svc admin set-url https://code.example.com"}
	refused(t, with(p.Another(t), second), "another URL", texts...)
	refused(t, p.Another(t), "no URL", texts[0], "SVC_URL=https://git.example.com")
	if out, err := Run(t, p, "admin", "set-url", "code.example.com"); err == nil || !strings.Contains(out, "not an absolute") {
		t.Errorf("a URL without a scheme: %v %s", err, out)
	}
	s := Launch(t, with(p, first))
	if out, err := Run(t, p, "admin", "set-url", "https://code.example.com/"); err == nil || !strings.Contains(out, "1 processes serve") {
		t.Errorf("while a process runs: %v %s", err, out)
	}
	s.waitEnded(t)
	if out, err := Run(t, p, "admin", "set-url", "https://code.example.com/"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	refused(t, with(p.Another(t), first), "the old URL", "the URL of this instance is https://code.example.com")
	Launch(t, with(p, second)).waitEnded(t)
}

// waitEnded stops a server. Its URL may be one at which nobody listens.
func (s *Server) waitEnded(t testing.TB) {
	t.Helper()
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil {
		t.Fatalf("%v\n%s", err, s.Output())
	}
}

var hostKeysLine = regexp.MustCompile(`the host keys are (.*)\.`)

// hostKeys waits for the line with the host keys, which a server prints right after it is ready.
func hostKeys(t *testing.T, s *Server) (line string) {
	t.Helper()
	wait.Until(t, "the server has printed its host keys", func() bool {
		line = hostKeysLine.FindString(s.Output())
		return line != ""
	})
	return line
}

// All processes get the SSH host keys of the first one. A process with other keys is refused.
func TestAllProcessesHaveTheSameHostKeys(t *testing.T) {
	t.Parallel()
	if !storetest.Postgres() {
		t.Log("SQLite serves one process")
		return
	}
	p := Shared(t)
	p.Env = append(p.Env, "SVC_SSH_LISTEN=127.0.0.1:0")
	a := Start(t, p)
	other := p.Another(t)
	b := Start(t, other)
	want := hostKeys(t, a)
	if got := hostKeys(t, b); got != want {
		t.Errorf("the host keys are %q and %q", want, got)
	}
	wrong := p.Another(t)
	if err := os.MkdirAll(wrong.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(wrong.Data, "ssh_host_ed25519_key")
	makeHostKey(t, key)
	refused(t, wrong, "its own host key", key+" has the host key SHA256:", "Remove the file", "replace-host-keys")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	c := Start(t, wrong)
	if got := hostKeys(t, c); got != want {
		t.Errorf("without the file the host keys are %q, not %q", got, want)
	}
	for _, s := range []*Server{a, b, c} {
		s.stop()
	}
	// New keys: one data folder has its own, the others have none.
	for _, place := range []Place{p, other, wrong} {
		for _, name := range []string{"ssh_host_ed25519_key", "ssh_host_ecdsa_key"} {
			if err := os.Remove(filepath.Join(place.Data, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out, err := Run(t, p, "admin", "replace-host-keys"); err != nil || !strings.Contains(out, "Removed 2 host keys") {
		t.Fatalf("%v %s", err, out)
	}
	a, b = Start(t, p), Start(t, other)
	if one, two := hostKeys(t, a), hostKeys(t, b); one == want || one != two {
		t.Errorf("the new host keys are %q and %q, the old ones were %q", one, two, want)
	}
}

// A newer program has added columns and tables while this one runs, as a rolling upgrade does. It goes on.
func TestARunningProcessSurvivesTheMigrationsOfANewerProgram(t *testing.T) {
	t.Parallel()
	n := startNodes(t, "SVC_RUNNER_POLL=1s")
	f := beginTraffic(t, n.entry())
	wait.Until(t, "some commits are acknowledged", func() bool { return f.count("commit") >= 3 && f.count("push") >= 1 })
	st := n.places[0].open(t)
	for _, table := range []string{"users", "projects", "namespaces", "events", "personal_access_tokens", "runners", "instance"} {
		if _, err := st.SQL().ExecContext(t.Context(), "ALTER TABLE "+table+" ADD COLUMN newer text NOT NULL DEFAULT ''"); err != nil {
			t.Fatal(err)
		}
	}
	before := f.count("commit")
	wait.Until(t, "commits go on", func() bool { return f.count("commit") >= before+10 })
	f.end()
	for _, one := range f.failed {
		t.Errorf("a request failed: %s", one.what)
	}
	var shown struct {
		Name string `json:"name"`
	}
	status, body, err := n.servers[0].Do(t.Context(), "GET", "/api/v4/projects/root%2Fp", "")
	if err != nil || status != http.StatusOK || json.Unmarshal([]byte(body), &shown) != nil || shown.Name != "p" {
		t.Errorf("%d %s %v", status, body, err)
	}
	n.checkKept(f)
}
