package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/server/cmd/svc/conformance/check"
)

// Request is a request to the installation.
type Request struct {
	Method string
	Path   string // below the URL of the installation, with the query, escaped
	Header http.Header
	Body   []byte
	As     Caller // for reports
}

// Answer is the answer to a request.
type Answer struct {
	Request Request
	Status  int
	Header  http.Header
	Body    []byte
	JSON    any // the body, if it is JSON
	Took    time.Duration
}

// Member returns a member of the answer as a text, or "". The path is like "user.id" or "0.id".
func (a *Answer) Member(path string) string {
	value, _ := member(a.JSON, path)
	return text(value)
}

// client sends requests to one installation.
type client struct {
	base    *url.URL
	http    *http.Client
	lenient bool
	count   func() // is called for each request
}

const (
	maxBody        = 64 << 20
	requestTimeout = 60 * time.Second
	maxWait        = 70 * time.Second // for a rate limit to end
)

func newClient(base *url.URL, parallel int, lenient bool, count func()) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 2 * parallel
	return &client{
		base: base, lenient: lenient, count: count,
		http: &http.Client{
			Transport: transport, Timeout: requestTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// send sends a request. If a rate limit refuses it, send waits and tries again.
func (c *client) send(ctx context.Context, r Request) (*Answer, error) {
	for try := 1; ; try++ {
		a, err := c.once(ctx, r)
		if err != nil || a.Status != http.StatusTooManyRequests || try == 3 {
			return a, err
		}
		seconds, err := strconv.Atoi(a.Header.Get("Retry-After"))
		pause := time.Duration(seconds) * time.Second
		if err != nil || pause > maxWait {
			return a, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (c *client) once(ctx context.Context, r Request) (*Answer, error) {
	c.count()
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, c.base.String()+r.Path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "svc-conformance")
	for name, list := range r.Header {
		req.Header[name] = list
	}
	began := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	a := &Answer{Request: r, Status: res.StatusCode, Header: res.Header, Body: data, Took: time.Since(began)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") {
		_ = json.Unmarshal(data, &a.JSON) // a body that is not JSON is found when it is compared with the document
	}
	return a, nil
}

// route returns the operation that a request calls, or nil.
func (c *client) route(r Request) *check.Route {
	path, _, _ := strings.Cut(r.Path, "?")
	return check.Match(r.Method, path)
}

// compare compares an answer with the document and returns the differences as texts.
func (c *client) compare(a *Answer) []string {
	path, query, _ := strings.Cut(a.Request.Path, "?")
	asked, _ := url.ParseQuery(query) // the query may be wrong on purpose
	answer := check.Answer{Method: a.Request.Method, Query: asked, Status: a.Status, Header: a.Header, Body: a.Body}
	var found []check.Difference
	if route := c.route(a.Request); route != nil {
		found = route.Compare(answer)
	} else {
		found = check.CompareUnknown(path, answer)
	}
	var texts []string
	for _, d := range found {
		if c.lenient && (d.Kind == check.Member || d.Kind == check.Header) {
			continue
		}
		texts = append(texts, d.Text)
	}
	return texts
}

// roots has the beginnings of paths that are not below /api/v4.
var roots = []string{"/api/", "/oauth/", "/-/", "/.well-known/", "/openapi", "/uploads/"}

// absolute returns the path below the URL of the installation.
func absolute(path string) string {
	for _, root := range roots {
		if strings.HasPrefix(path, root) {
			return path
		}
	}
	return "/api/v4" + path
}

// multipartBody returns a body with fields and one file, and its content type.
func multipartBody(f File) (body []byte, contentType string, err error) {
	var buffer bytes.Buffer
	w := multipart.NewWriter(&buffer)
	for name, value := range f.Fields {
		if err := w.WriteField(name, value); err != nil {
			return nil, "", err
		}
	}
	if f.Field != "" {
		part, err := w.CreateFormFile(f.Field, f.Name)
		if err != nil {
			return nil, "", err
		}
		if _, err := io.WriteString(part, f.Content); err != nil {
			return nil, "", err
		}
	}
	if err := w.Close(); err != nil {
		return nil, "", err
	}
	return buffer.Bytes(), w.FormDataContentType(), nil
}

// Curl returns a command that sends the request, with placeholders instead of secrets.
func (r Request) Curl(base string) string {
	var b strings.Builder
	b.WriteString("curl --include --request " + r.Method)
	for name, list := range r.Header {
		for _, value := range list {
			if isSecret(name) {
				value = "$" + strings.ToUpper(string(r.As)) + "_TOKEN"
				fmt.Fprintf(&b, ` --header "%s: %s"`, name, value)
				continue
			}
			b.WriteString(" --header " + quote(name+": "+value))
		}
	}
	if len(r.Body) > 0 {
		b.WriteString(" --data-raw " + quote(clip(string(r.Body), 2000)))
	}
	b.WriteString(" " + quote(base+r.Path))
	return b.String()
}

func isSecret(header string) bool {
	switch http.CanonicalHeaderKey(header) {
	case "Private-Token", "Authorization", "Job-Token", "Runner-Token", "Cookie":
		return true
	}
	return false
}

// quote quotes a text for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
