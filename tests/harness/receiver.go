package harness

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"svc/tests/wait"
)

// Receiver is a server that receives webhooks.
type Receiver struct {
	URL string
	t   testing.TB

	mu       sync.Mutex
	received []Delivery
	answer   func(w http.ResponseWriter, r *http.Request)
}

// Delivery is a request of a webhook.
type Delivery struct {
	Path   string
	Header http.Header
	Body   []byte
}

// Read decodes the body of the delivery.
func (d Delivery) Read(t testing.TB) map[string]any {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(d.Body, &body); err != nil {
		t.Fatalf("%v in %s", err, d.Body)
	}
	return body
}

// NewReceiver starts a server that receives webhooks and answers 200.
func NewReceiver(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{t: t, answer: func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "thanks") }}
	web := httptest.NewServer(r)
	t.Cleanup(web.Close)
	r.URL = web.URL
	return r
}

// Answer sets how the server answers from now on.
func (r *Receiver) Answer(with func(w http.ResponseWriter, req *http.Request)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = with
}

// Refuse lets the server answer with a status from now on.
func (r *Receiver) Refuse(status int) {
	r.Answer(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

// ServeHTTP records a request and answers it.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	r.received = append(r.received, Delivery{Path: req.URL.RequestURI(), Header: req.Header.Clone(), Body: body})
	answer := r.answer
	r.mu.Unlock()
	answer(w, req)
}

// Received returns what has come so far.
func (r *Receiver) Received() []Delivery {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Delivery(nil), r.received...)
}

// Wait waits until a number of requests has come, and returns them.
func (r *Receiver) Wait(n int) []Delivery {
	r.t.Helper()
	wait.Until(r.t, "the webhook is delivered", func() bool { return len(r.Received()) >= n })
	return r.Received()
}
