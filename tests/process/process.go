// Package process tests the real program. It starts svc as a user would, kills it, fills its disk and interrupts its
// connections.
package process

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/store/storetest"
	"svc/tests/wait"
)

// Token is the administrator's token in every server that these tests start.
const Token = "process-test-token-0123456789"

var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "svc-process-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "svc")
	out, err := exec.Command("go", "build", "-o", path, "svc/server/cmd/svc").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build svc: %w\n%s", err, out)
	}
	return path, nil
})

// Svc returns the path of the program, which is built once.
func Svc(t testing.TB) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Place is where a server keeps its data: a folder and, when the tests run on PostgreSQL, a database.
type Place struct {
	Data    string
	Env     []string
	Program string // path of another version of the program; empty for the one of today
}

// folder returns a new folder for a server. The server is killed when the test ends; a git command that it ran may still
// write for a moment, so that t.TempDir could fail to remove the folder.
func folder(t testing.TB) string {
	t.Helper()
	path, err := os.MkdirTemp("", "svc-place-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		wait.Until(t, "the folder of the server is removed", func() bool { return os.RemoveAll(path) == nil })
	})
	return path
}

// NewPlace returns a place without data.
func NewPlace(t testing.TB) Place {
	t.Helper()
	p := Place{Data: filepath.Join(folder(t), "data")}
	if storetest.Postgres() {
		p.Env = []string{"SVC_DATABASE_URL=" + storetest.Options(t).URL}
	}
	return p
}

// NewEmpty returns a place whose database has no tables.
func NewEmpty(t testing.TB) Place {
	t.Helper()
	p := NewPlace(t)
	if storetest.Postgres() {
		p.Env = []string{"SVC_DATABASE_URL=" + storetest.EmptyPostgres(t)}
	}
	return p
}

// SecretKey is the secret key of instances that several processes serve.
const SecretKey = "a key that all processes share, 32 long"

// Shared returns a place that several processes can share, as the README says: storages outside of the data folders,
// one secret key and one bucket.
func Shared(t testing.TB) Place {
	t.Helper()
	return sharedAt(t, NewPlace(t))
}

// sharedAt makes a place one that several processes can share.
func sharedAt(t testing.TB, p Place) Place {
	t.Helper()
	p.Env = append(p.Env, "SVC_STORAGES=default="+folder(t), "SVC_SECRET_KEY="+SecretKey, "SVC_BLOB_URL="+NewBucket(t).Address())
	return p
}

// Another returns a place for another process of the same instance, with a data folder of its own.
func (p Place) Another(t testing.TB) Place {
	t.Helper()
	return Place{Data: filepath.Join(folder(t), "data"), Env: p.Env, Program: p.Program}
}

// Server is a running program.
type Server struct {
	URL    string
	t      testing.TB
	cmd    *exec.Cmd
	mu     sync.Mutex
	output strings.Builder
	ended  chan error
}

// environment returns the environment of the test without the settings for svc.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "SVC_") })
}

var ready = regexp.MustCompile(`(?m)^svc serves (\S+) on `)

// Start runs svc serve and waits until it is ready.
func Start(t testing.TB, p Place, env ...string) *Server {
	t.Helper()
	s := Launch(t, p, env...)
	s.waitUntilReady()
	return s
}

// Launch runs svc serve and waits until it prints that it serves. It may not be ready yet.
func Launch(t testing.TB, p Place, env ...string) *Server {
	t.Helper()
	program := p.Program
	if program == "" {
		program = Svc(t)
	}
	cmd := exec.Command(program, "serve")
	cmd.Env = append(
		append(environment(), "SVC_DATA="+p.Data, "SVC_LISTEN=127.0.0.1:0", "SVC_ROOT_TOKEN="+Token, "SVC_LOG_LEVEL=warn"),
		append(slices.Clone(p.Env), env...)...,
	)
	return start(t, cmd)
}

// StartCommand runs a command that ends in svc serve, for example in another root folder, and waits until it is ready.
func StartCommand(t testing.TB, cmd *exec.Cmd) *Server {
	t.Helper()
	s := start(t, cmd)
	s.waitUntilReady()
	return s
}

func start(t testing.TB, cmd *exec.Cmd) *Server {
	t.Helper()
	s := &Server{t: t, cmd: cmd, ended: make(chan error, 1)}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1)
	go s.read(out, lines)
	t.Cleanup(func() {
		s.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("svc printed:\n%s", s.Output())
		}
	})
	select {
	case s.URL = <-lines:
	case err := <-s.ended:
		t.Fatalf("svc ended: %v\n%s", err, s.Output())
	case <-time.After(2 * time.Minute):
		t.Fatalf("svc is not ready after two minutes:\n%s", s.Output())
	}
	return s
}

func (s *Server) read(out io.Reader, url chan<- string) {
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		s.mu.Lock()
		s.output.WriteString(scanner.Text() + "\n")
		s.mu.Unlock()
		if m := ready.FindStringSubmatch(scanner.Text()); m != nil {
			url <- m[1]
		}
	}
	s.ended <- s.cmd.Wait()
}

func (s *Server) waitUntilReady() {
	s.t.Helper()
	wait.Until(s.t, "svc is ready", func() bool {
		res, err := http.Get(s.URL + "/-/readiness")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// Output returns what the program has printed so far.
func (s *Server) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.String()
}

// WaitFor waits until the program has printed a text.
func (s *Server) WaitFor(text string) {
	s.t.Helper()
	wait.Until(s.t, fmt.Sprintf("svc prints %q", text), func() bool { return strings.Contains(s.Output(), text) })
}

// Signal sends a signal to the program.
func (s *Server) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// End waits until the program has ended, and returns its error.
func (s *Server) End() error {
	s.t.Helper()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(2 * time.Minute):
		s.t.Fatalf("svc does not end:\n%s", s.Output())
		return nil
	}
}

// Do sends a request as the administrator.
func (s *Server) Do(ctx context.Context, method, path, body string) (int, string, error) {
	return s.DoAs(ctx, Token, method, path, body)
}

// DoAs sends a request with the given token.
func (s *Server) DoAs(ctx context.Context, token, method, path, body string) (int, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return res.StatusCode, string(data), err
}

// Run runs the program to its end and returns its output.
func Run(t testing.TB, p Place, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(Svc(t), args...)
	cmd.Env = append(append(environment(), "SVC_DATA="+p.Data), p.Env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
