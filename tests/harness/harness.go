// Package harness runs the whole service in the test's process, on a fresh database, and checks every answer against the
// OpenAPI document.
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

// H is one service with its own database.
type H struct {
	T      testing.TB
	Store  *store.Store
	Server *server.Server
	URL    string // without a slash at the end
	Data   string // the folder
	Logs   *Logs
	root   *Caller
	sites  [2]string // addresses without and with TLS
}

// New starts a service; edit changes its settings.
func New(t testing.TB, edit ...func(*config.Config)) *H {
	t.Helper()
	return On(t, storetest.New(t), edit...)
}

// folders are the data folders of services, by their stores: a second process needs the same storages.
var folders sync.Map

// operations are read once: they do not change, and reading them takes longer than most tests.
var operations = sync.OnceValues(server.LoadOperations)

// On starts a service on a database that is there already, as a second process would.
func On(t testing.TB, st *store.Store, edit ...func(*config.Config)) *H {
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
	cfg.RunnerPoll = 50 * time.Millisecond // tests that wait for jobs say so
	for _, f := range edit {
		f(&cfg)
	}
	ops, err := operations()
	if err != nil {
		t.Fatal(err)
	}
	h.Data = cfg.Data
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

// Work starts background jobs, until the test ends.
func (h *H) Work() {
	h.T.Helper()
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

// Root is an administrator whose token has every scope.
func (h *H) Root() *Caller {
	h.T.Helper()
	if h.root == nil {
		u := storetest.User(h.T, h.Store, storetest.Admin, func(u *model.User) {
			u.Username, u.Name, u.Email = "root", "Administrator", "admin@example.com"
		})
		h.root = h.WithToken(u, "api sudo")
	}
	return h.root
}

// NewUser is a user without any role, with a token that has the scope api.
func (h *H) NewUser(edit ...func(*model.User)) *Caller {
	h.T.Helper()
	return h.WithToken(storetest.User(h.T, h.Store, edit...), "api")
}

// WithToken is a user who comes with a new token.
func (h *H) WithToken(u model.User, scopes string, edit ...func(*model.PersonalAccessToken)) *Caller {
	h.T.Helper()
	token := storetest.Token(h.T, h.Store, u, scopes, edit...)
	c := h.With("PRIVATE-TOKEN", token)
	c.User, c.Token = u, token
	return c
}

// Anonymous comes without a credential.
func (h *H) Anonymous() *Caller { return h.With() }

// With comes with the given header names and values.
func (h *H) With(pairs ...string) *Caller {
	h.T.Helper()
	c := &Caller{h: h, header: http.Header{}}
	for i := 0; i+1 < len(pairs); i += 2 {
		c.header.Set(pairs[i], pairs[i+1])
	}
	return c
}

// Do sends a request with the caller's credential and checks the answer.
func (c *Caller) Do(req *http.Request) (*http.Response, error) {
	for name, values := range c.header {
		if req.Header.Get(name) == "" {
			req.Header[name] = values
		}
	}
	note := c.h.watch(req)
	res, err := plain.Do(req)
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
	for _, complaint := range Check(req, res, body) {
		c.h.T.Errorf("%s %s answered %d against the document: %s\n%s", req.Method, clip([]byte(req.URL.RequestURI())), res.StatusCode, complaint, clip(body))
	}
	return res, nil
}

// plain follows no redirects: an answer is checked as it is.
var plain = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Answer is what came back. Body has no hint, so that tests compare the shapes that programs read; a test of hints looks at Hint.
type Answer struct {
	Status int
	Header http.Header
	Body   string
	Hint   string // the member hint of a failure
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

// roots are where paths begin that are not under /api/v4.
var roots = []string{"/api", "/-/", "/uploads/", "/oauth/", "/.well-known/"}

// Send makes a request by hand; path is relative to /api/v4 unless it begins with one of the roots or is "/". The pairs are
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

// Raw makes a request to a path as it is, with a name and a password by HTTP Basic.
func (c *Caller) Raw(method, path, name, password string) Answer {
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

// JSON makes a request with a JSON body.
func (c *Caller) JSON(method, path, body string) Answer {
	c.h.T.Helper()
	return c.Send(method, path, body, "Content-Type", "application/json")
}

// Form makes a request with a form-encoded body.
func (c *Caller) Form(method, path, body string) Answer {
	c.h.T.Helper()
	return c.Send(method, path, body, "Content-Type", "application/x-www-form-urlencoded")
}

// File makes a request with a multipart body that has the given fields and one file.
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
