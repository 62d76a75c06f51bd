package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store/observe"
	"svc/tests/wait"
)

// collector records what it receives.
type collector struct {
	mu       sync.Mutex
	requests []request
	header   http.Header
	path     string
	answer   func(w http.ResponseWriter)
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var read request
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && json.Unmarshal(body, &read) == nil && c.answer == nil {
		c.requests = append(c.requests, read)
	}
	c.header, c.path = r.Header.Clone(), r.URL.Path
	if c.answer != nil {
		c.answer(w)
	}
}

func (c *collector) spans() (all []span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.requests {
		for _, s := range r.ResourceSpans {
			all = append(all, s.ScopeSpans[0].Spans...)
		}
	}
	return all
}

func exporter(t *testing.T, c *collector, log io.Writer) *Exporter {
	t.Helper()
	web := httptest.NewServer(c)
	t.Cleanup(web.Close)
	e, err := New(Options{
		Endpoint: web.URL, Headers: "Authorization=Bearer s3cret, X-Team=a=b", Instance: "one", Version: "1",
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// run runs an exporter, and returns a function that stops it and waits for its end.
func run(t *testing.T, e *Exporter) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { e.Run(ctx); close(done) }()
	return func() { cancel(); <-done }
}

func trace(e *Exporter, n int) {
	tracer := observe.NewTracer(e, 1)
	for range n {
		var w observe.Work
		tracer.Begin(&w, "getThing", observe.Server, observe.Parent{})
		w.Span().SetText("svc.operation", "getThing")
		w.Span().SetNumber("svc.statements", 3)
		w.Span().Fail("")
		w.Span().Finish()
	}
}

func TestSpansAreSentAsOTLP(t *testing.T) {
	t.Parallel()
	c := &collector{}
	e := exporter(t, c, io.Discard)
	stop := run(t, e)
	trace(e, 2)
	stop() // what is left is sent
	got := c.spans()
	if len(got) != 2 || len(got[0].TraceID) != 32 || len(got[0].SpanID) != 16 || got[0].ParentSpanID != "" || got[0].Kind != 2 ||
		*got[0].Attributes[0].Value.StringValue != "getThing" || got[0].Attributes[1].Value.IntValue != "3" || got[0].Status.Code != 2 {
		t.Errorf("%+v", got)
	}
	if c.path != "/v1/traces" || c.header.Get("Authorization") != "Bearer s3cret" || c.header.Get("X-Team") != "a=b" ||
		c.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s with %v", c.path, c.header)
	}
	if *c.requests[0].ResourceSpans[0].Resource.Attributes[0].Value.StringValue != "svc" {
		t.Errorf("%+v", c.requests[0].ResourceSpans[0].Resource)
	}
	if sent, dropped := e.Counts(); sent != 2 || dropped != 0 {
		t.Errorf("%d sent, %d dropped", sent, dropped)
	}
}

func TestAFullQueueDropsSpansAndCountsThem(t *testing.T) {
	t.Parallel()
	c := &collector{}
	e := exporter(t, c, io.Discard)
	trace(e, queueSize+7) // nobody sends yet
	if _, dropped := e.Counts(); dropped != 7 {
		t.Errorf("%d dropped, want 7", dropped)
	}
	run(t, e)()
	if got := len(c.spans()); got != queueSize {
		t.Errorf("%d received, want %d", got, queueSize)
	}
}

func TestACollectorThatRefusesIsReportedOnce(t *testing.T) {
	t.Parallel()
	var log safeBuffer
	c := &collector{answer: func(w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) }}
	e := exporter(t, c, &log)
	stop := run(t, e)
	trace(e, batchSize*2)
	wait.Until(t, "all are dropped", func() bool { _, dropped := e.Counts(); return dropped == batchSize*2 })
	c.mu.Lock()
	c.answer = func(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"partialSuccess":{"rejectedSpans":"2"}}`) }
	c.mu.Unlock()
	trace(e, 5)
	stop()
	if sent, dropped := e.Counts(); sent != 3 || dropped != batchSize*2+2 {
		t.Errorf("%d sent, %d dropped", sent, dropped)
	}
	if text := log.String(); strings.Count(text, "cannot send traces") != 1 || strings.Count(text, "again") != 1 ||
		strings.Contains(text, "s3cret") {
		t.Errorf("logged:\n%s", text)
	}
}

func TestACollectorThatIsAwayNeverHoldsUpWork(t *testing.T) {
	t.Parallel()
	e, err := New(Options{Endpoint: "http://user:s3cret@127.0.0.1:1", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	stop, began := run(t, e), time.Now()
	trace(e, queueSize*2)
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %s", took)
	}
	stop()
	if sent, dropped := e.Counts(); sent != 0 || dropped == 0 {
		t.Errorf("%d sent, %d dropped", sent, dropped)
	}
}

func TestWrongHeadersAreRefusedWithoutTheirValues(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"s3cret", "a b=s3cret", "a=s3cret\x01", "=s3cret"} {
		if _, err := ParseHeaders(bad); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// safeBuffer is a buffer that several goroutines can use.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
