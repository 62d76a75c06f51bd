package control

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Request is a request that a world has received.
type Request struct {
	ID            int64       `json:"id"`
	Method        string      `json:"method"`
	Path          string      `json:"path"`
	Query         string      `json:"query"`
	Headers       http.Header `json:"headers"`
	Body          string      `json:"body"`
	BodyTruncated bool        `json:"body_truncated"`
	Status        int         `json:"status"`
	Seconds       float64     `json:"seconds"`
	Fault         *int64      `json:"fault"`
	ReceivedAt    time.Time   `json:"received_at"`
}

func (r Request) size() int { return len(r.Body) }

// maxRecordedBody is how many bytes of the body of a request are kept.
const maxRecordedBody = 16 << 10

// hidden replaces secrets in the record.
const hidden = "[hidden]"

// secretHeaders are the headers with credentials.
var secretHeaders = []string{
	"Authorization", "Private-Token", "Job-Token", "Deploy-Token", "Runner-Token", "Cookie", "Proxy-Authorization",
	"X-Gitlab-Token", "X-Csrf-Token",
}

// secretQuery matches the parameters of a query that are credentials.
var secretQuery = regexp.MustCompile(`(^|&)((?:private|access|job|refresh)_token|client_secret|password|token|code)=[^&]*`)

// serve answers a request to the world: it applies faults, opens the world if it sleeps, and records the request.
func (w *World) serve(out http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body := &bodyReader{ReadCloser: r.Body}
	writer := &statusWriter{ResponseWriter: out}
	p := w.faults.plan(r)
	line := Request{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: secretQuery.ReplaceAllString(r.URL.RawQuery, "$1$2="+url.QueryEscape(hidden)),
		Headers: withoutSecrets(r.Header), Fault: p.id, ReceivedAt: at,
	}
	defer func() { // also after a panic that closes the connection
		line.Body, line.BodyTruncated = string(body.kept), body.truncated
		line.Status, line.Seconds = writer.status, time.Since(at).Seconds()
		w.requests.add(func(id int64) Request {
			line.ID = id
			return line
		})
	}()
	r.Body = body
	p.apply(writer, r, w.handle)
}

// handle passes a request to the open instance.
func (w *World) handle(out http.ResponseWriter, r *http.Request) {
	live, leave, err := w.enter()
	if err != nil {
		if !errors.Is(err, errClosed) {
			w.control.Logger.Error("cannot open a world", "world", w.name, "error", err)
		}
		http.Error(out, `{"message":"503 Service Unavailable"}`, http.StatusServiceUnavailable)
		return
	}
	defer leave()
	live.server.Handler.ServeHTTP(out, r)
}

// withoutSecrets returns the headers with a mark instead of each secret. The scheme of Authorization stays.
func withoutSecrets(header http.Header) http.Header {
	shown := header.Clone()
	for _, name := range secretHeaders {
		for i, value := range shown[name] {
			shown[name][i] = hidden
			if scheme, _, found := strings.Cut(value, " "); found && name == "Authorization" {
				shown[name][i] = scheme + " " + hidden
			}
		}
	}
	return shown
}

// bodyReader keeps the beginning of the body that is read.
type bodyReader struct {
	io.ReadCloser
	kept      []byte
	truncated bool
}

// Read reads a part of the body.
func (b *bodyReader) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	room := min(n, maxRecordedBody-len(b.kept))
	b.kept = append(b.kept, data[:room]...)
	b.truncated = b.truncated || room < n
	return n, err
}

// statusWriter keeps the status of the answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status.
func (s *statusWriter) WriteHeader(status int) {
	if s.status == 0 && !slices.Contains(interim, status) {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

// interim are the statuses that another one follows.
var interim = []int{http.StatusContinue, http.StatusProcessing, http.StatusEarlyHints}

// Write sends a part of the body.
func (s *statusWriter) Write(data []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	return s.ResponseWriter.Write(data)
}

// Flush sends what was written so far.
func (s *statusWriter) Flush() { _ = http.NewResponseController(s.ResponseWriter).Flush() }

// Unwrap returns the writer below, for http.ResponseController.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }
