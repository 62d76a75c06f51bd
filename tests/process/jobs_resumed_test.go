package process

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"svc/store"
	"svc/tests/harness"
	"svc/tests/wait"
)

// mailServer is a mail server that does not answer until open is set.
type mailServer struct {
	*harness.Inbox
	address string
	open    atomic.Bool
	waiting atomic.Int64 // connections that were never answered
}

func newMailServer(t testing.TB) *mailServer {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	o := &mailServer{Inbox: harness.NewInbox(t), address: listener.Addr().String()}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go o.serve(conn)
		}
	}()
	return o
}

func (o *mailServer) serve(conn net.Conn) {
	defer conn.Close()
	if !o.open.Load() {
		o.waiting.Add(1)
		io.Copy(io.Discard, conn) //nolint:errcheck // until the other side hangs up
		return
	}
	to, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", strings.TrimPrefix(o.URL, "smtp://"))
	if err != nil {
		return
	}
	defer to.Close()
	go io.Copy(to, conn) //nolint:errcheck // until one of them hangs up
	io.Copy(conn, to)    //nolint:errcheck // until one of them hangs up
}

// pendingWork holds the requests that the server has answered with success, and whose consequences must follow.
type pendingWork struct {
	mu      sync.Mutex
	commits map[string]bool // each must get a pipeline
	issues  map[string]bool // each must be mailed
	closed  map[int]bool    // issues that a merge must close
}

func (b *pendingWork) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return min(len(b.commits), len(b.issues))
}

const someMerges = 8

// createUserAndMergeRequests creates a project, a member who gets mail, and merge requests that close issues.
func createUserAndMergeRequests(t testing.TB, s *Server) (jane int64) {
	t.Helper()
	must := func(path, body string) string {
		t.Helper()
		status, text, err := s.Do(t.Context(), "POST", "/api/v4"+path, body)
		if status != 201 {
			t.Fatal(status, text, err)
		}
		return text
	}
	var user struct{ ID int64 }
	made := must(
		"/users",
		`{"username":"jane","name":"Jane","email":"jane@example.com","password":"correct horse battery","skip_confirmation":true}`,
	)
	if err := json.Unmarshal([]byte(made), &user); err != nil {
		t.Fatal(err)
	}
	jane = user.ID
	must("/projects", `{"name":"p"}`)
	must("/projects/root%2Fp/members", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, jane))
	must(
		"/projects/root%2Fp/repository/commits",
		`{"branch":"main","commit_message":"Begin","actions":[{"action":"create","file_path":".svc-ci.yml",`+
			`"content":"j: {script: [make]}"}]}`,
	)
	for n := 1; n <= someMerges; n++ {
		must("/projects/root%2Fp/issues", fmt.Sprintf(`{"title":"To be closed %d"}`, n))
		must("/projects/root%2Fp/repository/commits", fmt.Sprintf(
			`{"branch":"b%d","start_branch":"main","commit_message":"B","actions":[{"action":"create","file_path":"f%d","content":"x"}]}`,
			n, n,
		))
		must("/projects/root%2Fp/merge_requests", fmt.Sprintf(
			`{"source_branch":"b%d","target_branch":"main","title":"B%d","description":"Closes #%d"}`, n, n, n,
		))
	}
	return jane
}

// load commits, merges and creates issues until the server is gone.
func load(t testing.TB, s *Server, jane int64, b *pendingWork) *sync.WaitGroup {
	var work sync.WaitGroup
	ask := func(method, path, body string, into any) (status int, on bool) {
		status, text, err := s.Do(t.Context(), method, "/api/v4/projects/root%2Fp"+path, body)
		return status, err == nil && json.Unmarshal([]byte(text), into) == nil
	}
	for w := range 3 {
		work.Go(func() {
			var answer struct{ ID string }
			for n, on := 0, true; on; n++ {
				var status int
				status, on = ask("POST", "/repository/commits", fmt.Sprintf(
					`{"branch":"w%d-%d","start_branch":"main","commit_message":"C %d","actions":[{"action":"create",`+
						`"file_path":"w%d","content":"%d"}]}`,
					w, n, n, w, n,
				), &answer)
				if on && status == 201 {
					b.mu.Lock()
					b.commits[answer.ID] = true
					b.mu.Unlock()
				}
			}
		})
	}
	work.Go(func() {
		for n, on := 0, true; on; n++ {
			title := fmt.Sprintf("Look at this %d", n)
			var status int
			status, on = ask("POST", "/issues", fmt.Sprintf(`{"title":%q,"assignee_ids":[%d]}`, title, jane), &struct{}{})
			if on && status == 201 {
				b.mu.Lock()
				b.issues[title] = true
				b.mu.Unlock()
			}
		}
	})
	work.Go(func() {
		for n := 1; n <= someMerges; n++ {
			status, on := ask("PUT", fmt.Sprintf("/merge_requests/%d/merge", n), `{}`, &struct{}{})
			if on && status == 200 {
				b.mu.Lock()
				b.closed[n] = true
				b.mu.Unlock()
			}
		}
	})
	return &work
}

// The server is killed under load. The next one finishes the pipelines, merges and mails that were begun, within a
// minute.
func TestWorkBegunBeforeAKillIsFinishedWithinAMinuteOfTheRestart(t *testing.T) {
	t.Parallel()
	place, office := NewPlace(t), newMailServer(t)
	post := "SVC_SMTP_URL=smtp://" + office.address
	s := Start(t, place, post)
	jane := createUserAndMergeRequests(t, s)
	b := &pendingWork{commits: map[string]bool{}, issues: map[string]bool{}, closed: map[int]bool{}}
	work := load(t, s, jane, b)
	wait.Until(t, "a mail waits and enough work is begun to prove something", func() bool {
		return office.waiting.Load() > 0 && b.count() >= 10
	})
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	work.Wait()
	st := place.open(t)
	var last, running int64
	if err := st.SQL().QueryRowContext(
		t.Context(), "SELECT max(id), sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END) FROM river_job",
	).Scan(&last, &running); err != nil || running == 0 {
		t.Fatalf("%d jobs were running: %v", running, err)
	}
	office.open.Store(true)
	Start(t, place, post)
	mailed, left := map[string]bool{}, ""
	t.Cleanup(func() {
		if left != "" {
			t.Log("missing is", left)
		}
	})
	wait.Until(t, "all work that was begun is finished", func() bool {
		left = b.unfinished(t, st, office, mailed, last)
		return left == ""
	})
}

// unfinished returns a consequence that has not followed yet, or an empty text.
func (b *pendingWork) unfinished(t testing.TB, st *store.Store, office *mailServer, mailed map[string]bool, last int64) string {
	t.Helper()
	for _, m := range office.Take() {
		for title := range b.issues {
			mailed[title] = mailed[title] || strings.Contains(m.Header.Get("Subject"), title+" ")
		}
	}
	for title := range b.issues {
		if !mailed[title] {
			return "a letter about " + title
		}
	}
	for sha := range b.commits {
		if n := number(t, st, "SELECT count(*) FROM pipelines WHERE sha = $1", sha); n == 0 {
			return "the pipeline of " + sha
		}
	}
	for iid := range b.closed {
		if n := number(t, st, "SELECT count(*) FROM issues WHERE iid = $1 AND state = 'closed'", iid); n == 0 {
			return fmt.Sprintf("the end of issue %d, which a merge closes", iid)
		}
	}
	if n := number(t, st, "SELECT count(*) FROM river_job WHERE id <= $1 AND state IN ('running', 'available', 'retryable')", last); n > 0 {
		return fmt.Sprintf("%d jobs", n)
	}
	return ""
}

func number(t testing.TB, st *store.Store, query string, args ...any) (n int64) {
	t.Helper()
	if err := st.SQL().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
