package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"svc/tests/harness"
	"svc/tests/wait"
)

// otlpSpan is a span as a collector gets it.
type otlpSpan struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	Attributes                          []struct {
		Key   string
		Value struct{ StringValue, IntValue string }
	}
}

func (s otlpSpan) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue + a.Value.IntValue
		}
	}
	return ""
}

// collector is an OTLP receiver.
type collector struct {
	mu     sync.Mutex
	spans  []otlpSpan
	header http.Header
	bodies bytes.Buffer
}

// ServeHTTP records the spans of a request.
func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		ResourceSpans []struct{ ScopeSpans []struct{ Spans []otlpSpan } }
	}
	data, err := io.ReadAll(r.Body)
	if err != nil || r.URL.Path != "/v1/traces" || json.Unmarshal(data, &body) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header = r.Header.Clone()
	c.bodies.Write(data)
	for _, resource := range body.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

// find returns a span of a trace by the beginning of its name.
func (c *collector) find(trace, name string) (otlpSpan, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.spans, func(s otlpSpan) bool { return s.TraceID == trace && strings.HasPrefix(s.Name, name) })
	if at < 0 {
		return otlpSpan{}, false
	}
	return c.spans[at], true
}

// A trace that a caller begins goes on through the request, git, the background job and the webhook.
func TestATraceGoesThroughTheWholeService(t *testing.T) {
	t.Parallel()
	to := &collector{}
	web := httptest.NewServer(to)
	t.Cleanup(web.Close)
	hook := harness.NewReceiver(t)
	server := Start(t, NewPlace(t), "SVC_OTLP_ENDPOINT="+web.URL, "SVC_OTLP_HEADERS=Authorization=Bearer s3cret",
		"SVC_WEBHOOK_ALLOW=127.0.0.0/8")
	send := func(path, body, parent string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", Token)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Traceparent", parent)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusCreated {
			t.Fatal(res, err)
		}
		res.Body.Close()
	}
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	send("/api/v4/projects", `{"name":"p","initialize_with_readme":true}`, "")
	send("/api/v4/projects/root%2Fp/hooks", fmt.Sprintf(`{"url":%q}`, hook.URL), "nonsense")
	send("/api/v4/projects/root%2Fp/repository/commits",
		`{"branch":"main","commit_message":"m","actions":[{"action":"create","file_path":"secret-name","content":"x"}]}`,
		"00-"+trace+"-00f067aa0ba902b7-01")
	for _, name := range []string{"createProjectRepositoryCommit", "git ", "job deliver_hook", "POST"} {
		wait.Until(t, "the span "+name, func() bool { _, found := to.find(trace, name); return found })
	}
	request, _ := to.find(trace, "createProjectRepositoryCommit")
	if request.ParentSpanID != "00f067aa0ba902b7" || request.Kind != 2 || request.attribute("http.response.status_code") != "201" ||
		request.attribute("http.route") == "" || request.attribute("svc.statements") == "0" || len(request.attribute("svc.user")) != 16 {
		t.Errorf("%+v", request)
	}
	job, _ := to.find(trace, "job deliver_hook")
	out, _ := to.find(trace, "POST")
	if job.Kind != 5 || out.ParentSpanID != job.SpanID || out.Kind != 3 {
		t.Errorf("%+v %+v", job, out)
	}
	wait.Until(t, "the webhook", func() bool { return len(hook.Received()) == 1 })
	if got := hook.Received()[0].Header.Get("Traceparent"); got != "00-"+trace+"-"+out.SpanID+"-01" {
		t.Errorf("the webhook carries %q", got)
	}
	to.mu.Lock()
	defer to.mu.Unlock()
	if to.header.Get("Authorization") != "Bearer s3cret" {
		t.Error("the collector did not get the header")
	}
	for _, private := range []string{"secret-name", Token, "root/p", "root%2Fp", "Administrator"} {
		if strings.Contains(to.bodies.String(), private) {
			t.Errorf("the traces contain %s", private)
		}
	}
	if strings.Contains(server.Output(), "s3cret") {
		t.Error("the log has the header")
	}
}

// A slow request is logged with what it cost.
func TestASlowRequestIsLoggedWithItsCost(t *testing.T) {
	t.Parallel()
	server := Start(t, NewPlace(t), "SVC_SLOW_REQUEST=1ns")
	if status, body, err := server.Do(t.Context(), "GET", "/api/v4/user", ""); status != 200 {
		t.Fatal(status, body, err)
	}
	server.WaitFor(`msg="slow request" operation=getCurrentUser method=GET status=200 took=`)
	for _, part := range []string{" statements=", " statement_time=", " git_processes=0", " git_time=0s", " wait_time=", " request_id="} {
		if !strings.Contains(server.Output(), part) {
			t.Errorf("the line lacks %s", part)
		}
	}
}

// auditReceiver records audit events, and refuses every third one at first.
type auditReceiver struct {
	mu    sync.Mutex
	ids   []int64
	calls int
}

// ServeHTTP records an event.
func (a *auditReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var event struct{ ID int64 }
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls++
	if r.Header.Get("X-Secret") != "s3cret" || a.calls%3 == 0 || json.NewDecoder(r.Body).Decode(&event) != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	a.ids = append(a.ids, event.ID)
}

func (a *auditReceiver) list() []int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.ids)
}

// distinct returns the first occurrence of each id.
func distinct(ids []int64) (once []int64) {
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once
}

func auditLines(t *testing.T, name string) (ids []int64) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var event struct{ ID int64 }
		if json.Unmarshal(lines.Bytes(), &event) == nil { // a kill may have cut a line off
			ids = append(ids, event.ID)
		}
	}
	return ids
}

// Every change that was answered is in the audit stream, in order, although the server is killed again and again. So is a
// change that the command line has made.
func TestAuditEventsAreStreamedAfterAKill(t *testing.T) {
	t.Parallel()
	to := &auditReceiver{}
	web := httptest.NewServer(to)
	t.Cleanup(web.Close)
	place := NewPlace(t)
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	place.Env = append(place.Env, "SVC_AUDIT_FILE="+name, "SVC_AUDIT_URL="+web.URL, "SVC_AUDIT_HEADER=X-Secret: s3cret")
	server := Start(t, place)
	for round := range 3 {
		for n := range 5 {
			body := fmt.Sprintf(`{"name":"g","path":"g%d-%d"}`, round, n)
			if status, answer, err := server.Do(t.Context(), "POST", "/api/v4/groups", body); status != 201 {
				t.Fatal(status, answer, err)
			}
		}
		server.Signal(syscall.SIGKILL)
		_ = server.End() // it was killed
		server = Start(t, place)
	}
	if out, err := Run(t, place, "admin", "create-user", "jane", "--email", "jane@example.com", "--password", "correct horse"); err != nil {
		t.Fatal(out, err)
	}
	status, answer, err := server.Do(t.Context(), "GET", "/api/v4/audit_events?per_page=100", "")
	var events []struct{ ID int64 }
	if status != 200 || json.Unmarshal([]byte(answer), &events) != nil || len(events) < 15 {
		t.Fatal(status, answer, err)
	}
	var want []int64
	for _, e := range slices.Backward(events) {
		want = append(want, e.ID)
	}
	wait.Until(t, "the receiver has every event, in order", func() bool { return slices.Equal(distinct(to.list()), want) })
	wait.Until(t, "the file has every event, in order", func() bool { return slices.Equal(distinct(auditLines(t, name)), want) })
	if strings.Contains(server.Output(), "s3cret") {
		t.Error("the log has the header")
	}
}
