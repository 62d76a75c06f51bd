// Package control tests the control plane for tests of clients, as its callers see it. All tests share one process, and
// each has a world of its own. Every answer of the control plane is checked against its document.
package control

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	document "svc/openapi/control"
	"svc/server"
	"svc/server/cmd/svc/control"
	"svc/server/platform/config"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

var (
	controlURL string
	router     routers.Router
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run starts the control plane for all tests.
func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "svc-control-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	cfg, err := config.Load([]string{"--ephemeral", "--test-mode", "--data", folder}, nil)
	if err != nil {
		panic(err)
	}
	ops, err := server.LoadOperations()
	if err != nil {
		panic(err)
	}
	main, plane := listen(), listen()
	cfg.URL, controlURL = "http://"+main.Addr().String(), "http://"+plane.Addr().String()
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	worlds, err := control.New(context.Background(), control.Options{Config: cfg, Operations: ops, Logger: logger}, main)
	if err != nil {
		panic(err)
	}
	spec, err := openapi3.NewLoader().LoadFromData(document.Document)
	if err != nil {
		panic(err)
	}
	if router, err = legacy.NewRouter(spec); err != nil {
		panic(err)
	}
	go worlds.Serve(plane)
	defer worlds.Shutdown(context.Background())
	return m.Run()
}

func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

// plane calls the control plane, checks the answer against the document, and reads it.
func plane(t *testing.T, method, path, body string, want int, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, controlURL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, req, res, data)
	if res.StatusCode != want {
		t.Fatalf("%s %s answered %d: %s", method, path, res.StatusCode, data)
	}
	if into != nil {
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
	}
}

// checkAnswer compares an answer with the document.
func checkAnswer(t *testing.T, req *http.Request, res *http.Response, body []byte) {
	t.Helper()
	route, params, err := router.FindRoute(req)
	if err != nil {
		return // a path that the document does not have
	}
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode, Header: res.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		t.Errorf("%s %s answered against the document: %v\n%s", req.Method, req.URL.Path, err, body)
	}
}

// world is a world of a test.
type world struct {
	t            *testing.T
	Name         string
	URL          string
	Username     string
	Password     string
	Token        string
	Users        []struct{ Username, Token, About string }
	Seed         int
	TokenTTL     float64 `json:"token_ttl"`
	SendWebhooks bool    `json:"send_webhooks"`
}

// newWorld makes a world that exists until the test ends.
func newWorld(t *testing.T, body string) *world {
	t.Helper()
	w := &world{t: t}
	plane(t, "POST", "/worlds", body, http.StatusCreated, w)
	t.Cleanup(func() {
		req, _ := http.NewRequest("DELETE", controlURL+"/worlds/"+w.Name, nil)
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
		}
	})
	return w
}

// plane calls the control plane about this world.
func (w *world) plane(method, path, body string, want int, into any) {
	w.t.Helper()
	plane(w.t, method, "/worlds/"+w.Name+path, body, want, into)
}

// answer is an answer of a world.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // of the body
}

// try sends a request to the world as its administrator.
func (w *world) try(method, path, body string) (answer, error) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.URL+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", w.Token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(data), err}, nil
}

// send is try for a request that must be answered.
func (w *world) send(method, path, body string, want int) answer {
	w.t.Helper()
	a, err := w.try(method, path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if a.status != want || a.err != nil {
		w.t.Fatalf("%s %s answered %d: %s (%v)", method, path, a.status, a.body, a.err)
	}
	return a
}
