// Package harness runs the whole service in the process of the test, on a new database, and checks every response
// against the OpenAPI document.
//
//	harness.go    start a service, make users and tokens, send requests
//	check.go      compare responses with the OpenAPI document, and remember which operations were called
//	audit.go      remember which operations recorded audit events
//	keys.go       share one signing key among all services
//	golden.go     compare responses with files, and read the log
//	groups.go     make groups and their members
//	projects.go   make projects and their members
//	pipelines.go  make pipelines, and take and finish jobs
//	blobs.go      write job logs and artifacts
//	history.go    make local git repositories and push them
//	browser.go    use the web pages like a browser, and read mails from the log
//	inbox.go      receive mails with a mail server
//	sites.go      publish and request sites
//	program.go    install programs that tests need
//	window.go     wait for a new rate limit window
package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/server"
	"svc/server/platform/config"
	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// H is a running service with its own database.
type H struct {
	T      testing.TB
	Store  *store.Store
	Server *server.Server
	URL    string // without a slash at the end
	Data   string // data folder
	Logs   *Logs
	sites  [2]string // addresses of the site listeners without and with TLS

	rooting sync.Mutex // held while root is made: subtests that run at once share it
	root    *Caller

	secretKey string
}

// New starts a service on a new database; edit changes its configuration.
func New(t testing.TB, edit ...func(*config.Config)) *H {
	t.Helper()
	return NewOnStore(t, storetest.New(t), edit...)
}

// folders has the data folder of each store: a second process on the same store needs the same storages.
var folders sync.Map

// operations reads the operations once: they do not change, and reading them takes longer than most tests.
var operations = sync.OnceValues(server.LoadOperations)

// NewOnStore starts a service on an existing database, as a second process would.
func NewOnStore(t testing.TB, st *store.Store, edit ...func(*config.Config)) *H {
	t.Helper()
	cfg, err := config.Load(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &H{T: t, Store: st, Logs: &Logs{}}
	web := httptest.NewUnstartedServer(nil)
	data, second := folders.LoadOrStore(st, t.TempDir())
	if !second {
		t.Cleanup(func() { folders.Delete(st) })
	}
	cfg.URL, cfg.Data = "http://"+web.Listener.Addr().String(), data.(string)
	cfg.SecretKey = "a secret key for tests, of 32 characters or more"
	cfg.WebhookAllow = []string{"127.0.0.0/8", "ci.example.com"} // receivers of tests, and the receiver of examples
	cfg.RunnerPoll = 50 * time.Millisecond                       // tests of waiting runners set a longer time
	for _, f := range edit {
		f(&cfg)
	}
	ops, err := operations()
	if err != nil {
		t.Fatal(err)
	}
	h.Data, h.secretKey = cfg.Data, cfg.SecretKey
	h.Server, err = server.New(cfg, st, ops, slog.New(slog.NewTextHandler(h.Logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	web.Config.Handler, web.Config.MaxHeaderBytes = h.Server.Handler, server.MaxHeaderBytes
	web.Start()
	t.Cleanup(web.Close)
	h.URL = web.URL
	return h
}

// StartWorker runs background jobs until the test ends.
func (h *H) StartWorker() {
	h.T.Helper()
	h.addSigningKey()
	if err := h.Server.Worker.Start(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() {
		if err := h.Server.Worker.Stop(context.Background()); err != nil {
			h.T.Error(err)
		}
	})
}

// Caller makes requests with one credential.
type Caller struct {
	h      *H
	User   model.User
	Token  string
	header http.Header
}

// Root returns an administrator whose token has every scope.
func (h *H) Root() *Caller {
	h.T.Helper()
	h.rooting.Lock()
	defer h.rooting.Unlock()
	if h.root == nil {
		u := storetest.User(h.T, h.Store, storetest.Admin, func(u *model.User) {
			u.Username, u.Name, u.Email = "root", "Administrator", "admin@example.com"
		})
		h.root = h.WithToken(u, "api sudo")
	}
	return h.root
}

// NewUser makes a user without any role, whose token has the scope api.
func (h *H) NewUser(edit ...func(*model.User)) *Caller {
	h.T.Helper()
	return h.WithToken(storetest.User(h.T, h.Store, edit...), "api")
}

// WithToken returns a caller that uses a new token of the user.
func (h *H) WithToken(u model.User, scopes string, edit ...func(*model.PersonalAccessToken)) *Caller {
	h.T.Helper()
	token := storetest.Token(h.T, h.Store, u, scopes, edit...)
	c := h.WithHeaders("PRIVATE-TOKEN", token)
	c.User, c.Token = u, token
	return c
}

// Anonymous returns a caller without a credential.
func (h *H) Anonymous() *Caller { return h.WithHeaders() }

// WithHeaders returns a caller that sends the given header names and values.
func (h *H) WithHeaders(pairs ...string) *Caller {
	h.T.Helper()
	c := &Caller{h: h, header: http.Header{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		c.header.Set(pairs[i], pairs[i+1])
	}
	return c
}

// Do sends a request with the caller's credential and checks the response against the OpenAPI document.
func (c *Caller) Do(req *http.Request) (*http.Response, error) {
	for name, values := range c.header {
		if req.Header.Get(name) == "" {
			req.Header[name] = values
		}
	}
	note := c.h.watch(req)
	res, err := noRedirectClient.Do(req)
	if err != nil {
		return nil, err
	}
	note(res)
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	c.h.recordExample(req, res, body)
	for _, complaint := range Check(req, res, body) {
		c.h.T.Errorf("%s %s answered %d against the document: %s\n%s", req.Method, clip([]byte(req.URL.RequestURI())),
			res.StatusCode, complaint, clip(body))
	}
	return res, nil
}

// noRedirectClient follows no redirects, so that each response is checked.
var noRedirectClient = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Answer is a response. Body has no hint, so that tests compare the shapes that programs read; tests of hints look at
// Hint.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	Hint   string // the member hint of an error
}

func newAnswer(res *http.Response, body string) Answer {
	a := Answer{Status: res.StatusCode, Header: res.Header, Body: body}
	if at := strings.LastIndex(body, `,"hint":"`); at >= 0 && res.StatusCode >= 400 {
		var failure struct{ Hint string }
		if json.Unmarshal([]byte(body), &failure) == nil && failure.Hint != "" {
			a.Body, a.Hint = body[:at]+"}", failure.Hint
		}
	}
	return a
}

// roots has the prefixes of paths that are not under /api/v4.
var roots = []string{"/api", "/-/", "/uploads/", "/oauth/", "/.well-known/"}

// Send sends a request. The path is relative to /api/v4 unless it begins with one of the roots or is "/". The pairs are
// header names and values.
func (c *Caller) Send(method, path, body string, pairs ...string) Answer {
	c.h.T.Helper()
	if path != "/" && !slices.ContainsFunc(roots, func(root string) bool { return strings.HasPrefix(path, root) }) {
		path = "/api/v4" + path
	}
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(c.h.T.Context(), method, c.h.URL+path, reader)
	if err != nil {
		c.h.T.Fatal(err)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	res, err := c.Do(req)
	if err != nil {
		c.h.T.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		c.h.T.Fatal(err)
	}
	return newAnswer(res, strings.TrimSuffix(string(data), "\n"))
}

// SendBasic sends a request to an absolute path, with a name and a password by HTTP Basic.
func (c *Caller) SendBasic(method, path, name, password string) Answer {
	c.h.T.Helper()
	req, err := http.NewRequestWithContext(c.h.T.Context(), method, c.h.URL+path, nil)
	if err != nil {
		c.h.T.Fatal(err)
	}
	req.SetBasicAuth(name, password)
	res, err := c.Do(req)
	if err != nil {
		c.h.T.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		c.h.T.Fatal(err)
	}
	return newAnswer(res, string(data))
}

// JSON sends a request with a JSON body.
func (c *Caller) JSON(method, path, body string) Answer {
	c.h.T.Helper()
	return c.Send(method, path, body, "Content-Type", "application/json")
}

// Form sends a request with a form-encoded body.
func (c *Caller) Form(method, path, body string) Answer {
	c.h.T.Helper()
	return c.Send(method, path, body, "Content-Type", "application/x-www-form-urlencoded")
}

// File sends a request with a multipart body that has the given fields and one file.
func (c *Caller) File(method, path string, fields map[string]string, name, fileName, contentType, data string) Answer {
	c.h.T.Helper()
	var body strings.Builder
	w := multipart.NewWriter(&body)
	for field, value := range fields {
		if err := w.WriteField(field, value); err != nil {
			c.h.T.Fatal(err)
		}
	}
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {mime.FormatMediaType("form-data", map[string]string{"name": name, "filename": fileName})},
		"Content-Type":        {contentType},
	})
	if err != nil {
		c.h.T.Fatal(err)
	}
	if _, err := io.WriteString(part, data); err != nil {
		c.h.T.Fatal(err)
	}
	if err := w.Close(); err != nil {
		c.h.T.Fatal(err)
	}
	return c.Send(method, path, body.String(), "Content-Type", w.FormDataContentType())
}

func clip(b []byte) string {
	if len(b) > 500 {
		return string(b[:500]) + "…"
	}
	return string(b)
}
