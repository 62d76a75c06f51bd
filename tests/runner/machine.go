package runner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Runner is a runner with a folder of its own.
type Runner struct {
	t      testing.TB
	folder string
	mu     sync.Mutex
	output bytes.Buffer
}

// NewRunner returns a runner that is not registered yet. It runs up to four jobs at once and requests jobs every
// second.
func NewRunner(t testing.TB) *Runner {
	t.Helper()
	m := &Runner{t: t, folder: t.TempDir()}
	if err := os.WriteFile(m.config(), []byte("concurrent = 4\ncheck_interval = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *Runner) config() string { return filepath.Join(m.folder, "config.toml") }

// env returns a clean environment, without the user's settings and without a proxy.
func (m *Runner) env() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.folder, "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1"}
}

// Register registers the runner with a server. The arguments contain a token of either kind.
func (m *Runner) Register(url string, args ...string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	all := append([]string{
		"register", "--config", m.config(), "--non-interactive", "--url", url, "--executor", "shell",
		"--builds-dir", filepath.Join(m.folder, "builds"), "--cache-dir", filepath.Join(m.folder, "cache"),
	}, args...)
	cmd := exec.CommandContext(ctx, official.Path(m.t), all...)
	cmd.Env = m.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("the runner does not register: %v\n%s", err, out)
	}
}

// Verify lets the runner verify its tokens.
func (m *Runner) Verify() {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), official.Path(m.t), "verify", "--config", m.config())
	cmd.Env = m.env()
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "alive") && !strings.Contains(string(out), "valid") {
		m.t.Errorf("the runner's tokens are not good: %v\n%s", err, out)
	}
}

// Unregister unregisters the runner.
func (m *Runner) Unregister(args ...string) {
	m.t.Helper()
	cmd := exec.CommandContext(m.t.Context(), official.Path(m.t), append([]string{"unregister", "--config", m.config()}, args...)...)
	cmd.Env = m.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Errorf("the runner does not take leave: %v\n%s", err, out)
	}
}

// Write collects the output of the runner.
func (m *Runner) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.output.Write(p)
}

// Run runs the runner until the caller calls stop, or until the test ends. A failed test logs the output of the runner.
func (m *Runner) Run() (stop func()) {
	m.t.Helper()
	cmd := exec.Command(official.Path(m.t), "run", "--config", m.config(), "--working-directory", m.folder)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = m.env(), m.folder, m, m
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }() //nolint:errcheck // it is told to end
	stop = sync.OnceFunc(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			cmd.Process.Kill() //nolint:errcheck // it may have ended
			<-ended
		}
	})
	m.t.Cleanup(func() {
		stop()
		if m.t.Failed() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.t.Logf("the runner said:\n%s", m.output.String())
		}
	})
	return stop
}

// Tokens returns the tokens in the runner's configuration.
func (m *Runner) Tokens() []string {
	m.t.Helper()
	text, err := os.ReadFile(m.config())
	if err != nil {
		m.t.Fatal(err)
	}
	var found []string
	for _, line := range strings.Split(string(text), "\n") {
		var token string
		if _, err := fmt.Sscanf(strings.TrimSpace(line), "token = %q", &token); err == nil {
			found = append(found, token)
		}
	}
	return found
}
