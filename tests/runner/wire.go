package runner

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"svc/tests/harness"
	"svc/tests/port"
)

// Proxy is a proxy between the runner and the server. It checks every answer against the OpenAPI document, and records
// which bytes of logs were acknowledged. Its URL stays the same when the server restarts.
type Proxy struct {
	URL    string
	Listen string // address for the server to listen on

	t                 testing.TB
	mu                sync.Mutex
	logs              map[string]*log // by path
	calls             map[string]int  // by method, path and status
	beforeSend        func()          // called before a part of a log goes to the server
	beforeAcknowledge func() error    // called before the runner gets the acknowledgement of a part; an error withholds the answer
}

// log is the part of a job's log that the runner has sent.
type log struct {
	sent         []byte
	acknowledged int
}

// NewProxy returns a proxy, which leads nowhere until a server listens.
func NewProxy(t testing.TB) *Proxy {
	t.Helper()
	free, err := port.Free()
	if err != nil {
		t.Fatal(err)
	}
	w := &Proxy{Listen: fmt.Sprint("127.0.0.1:", free), t: t, logs: map[string]*log{}, calls: map[string]int{}}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: w.Listen})
	proxy.ModifyResponse = w.checkResponse
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) } // as if the server itself hung up
	server := httptest.NewServer(http.HandlerFunc(func(res http.ResponseWriter, req *http.Request) {
		if isTrace(req) {
			w.recordTrace(req)
		}
		req.Header.Del("Accept-Encoding") // checkResponse reads the answers as they are
		proxy.ServeHTTP(res, req)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	w.URL = server.URL
	return w
}

func isTrace(req *http.Request) bool {
	return req.Method == http.MethodPatch && strings.HasSuffix(req.URL.Path, "/trace")
}

// recordTrace records a part of a log that goes to the server.
func (w *Proxy) recordTrace(req *http.Request) {
	data, err := io.ReadAll(req.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	req.Body = io.NopCloser(bytes.NewReader(data))
	offset := firstByte(req)
	w.mu.Lock()
	l := w.logs[req.URL.Path]
	if l == nil {
		l = &log{}
		w.logs[req.URL.Path] = l
	}
	if more := offset + len(data) - len(l.sent); offset <= len(l.sent) && more > 0 {
		l.sent = append(l.sent, data[len(data)-more:]...)
	}
	asked := w.beforeSend
	w.mu.Unlock()
	if asked != nil {
		asked()
	}
}

func firstByte(req *http.Request) int {
	first, _, _ := strings.Cut(req.Header.Get("Content-Range"), "-")
	offset, err := strconv.Atoi(first)
	if err != nil {
		return 0
	}
	return offset
}

var numbers = regexp.MustCompile(`/\d+`)

// checkResponse checks and counts an answer on its way to the runner.
func (w *Proxy) checkResponse(res *http.Response) error {
	req := res.Request
	if !strings.HasPrefix(req.URL.Path, "/api/v4/jobs/") && !strings.HasPrefix(req.URL.Path, "/api/v4/runners") {
		return nil
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	res.Body = io.NopCloser(bytes.NewReader(data))
	for _, complaint := range harness.Check(req, res, data) {
		w.t.Errorf("%s %s: %d: %s", req.Method, req.URL, res.StatusCode, complaint)
	}
	path := numbers.ReplaceAllString(strings.TrimPrefix(req.URL.Path, "/api/v4"), "/:id")
	w.mu.Lock()
	w.calls[fmt.Sprintf("%s %s %d", req.Method, path, res.StatusCode)]++
	told := w.beforeAcknowledge
	if isTrace(req) && res.StatusCode == http.StatusAccepted {
		w.acknowledge(w.logs[req.URL.Path], req, res)
	} else {
		told = nil
	}
	w.mu.Unlock()
	if told != nil {
		return told()
	}
	return nil
}

// acknowledge records how much of a log the server has.
func (w *Proxy) acknowledge(l *log, req *http.Request, res *http.Response) {
	var size int
	if _, err := fmt.Sscanf(res.Header.Get("Range"), "0-%d", &size); err != nil || size < l.acknowledged || size > len(l.sent) {
		w.t.Errorf(
			"%s at %s: %d bytes were sent and %d acknowledged, now it is %q", req.URL.Path,
			req.Header.Get("Content-Range"), len(l.sent), l.acknowledged, res.Header.Get("Range"),
		)
		return
	}
	l.acknowledged = size
}

// Acknowledged returns the bytes of a job's log that the server has acknowledged.
func (w *Proxy) Acknowledged(job int64) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.logs[fmt.Sprintf("/api/v4/jobs/%d/trace", job)]
	if l == nil {
		return ""
	}
	return string(l.sent[:l.acknowledged])
}

// Count returns how often a call got a certain answer, such as "POST /jobs/request 201".
func (w *Proxy) Count(call string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[call]
}

// Watch sets functions to call for each part of a log: asked when it goes to the server, told when it comes back
// acknowledged.
func (w *Proxy) Watch(asked func(), told func() error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beforeSend, w.beforeAcknowledge = asked, told
}
