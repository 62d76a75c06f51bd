package process

import (
	"context"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// through returns a client that sends every request to one address.
func through(t *testing.T, network, address string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 30 * time.Second}
}

func TestTheServiceListensOnAUNIXSocket(t *testing.T) {
	t.Parallel()
	p, path := NewPlace(t), filepath.Join(folder(t), "svc.sock")
	env := []string{
		"SVC_LISTEN=unix:" + path, "SVC_LISTEN_MODE=0600", "SVC_URL=http://git.example.com", "SVC_TRUSTED_PROXIES=127.0.0.1",
		"SVC_LOG_LEVEL=info",
	}
	s := Launch(t, p, env...)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != fs.ModeSocket {
		t.Fatal(info, err)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/api/v4/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	req.Header.Set("X-Forwarded-For", "192.0.2.7")
	res, err := through(t, "unix", path).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Error(res.StatusCode)
	}
	s.WaitFor("ip=192.0.2.7")
	second, err := Run(t, NewPlace(t), "serve", "--listen", "unix:"+path, "--url", "http://git.example.com")
	if err == nil || !strings.Contains(second, "is served by another process") {
		t.Errorf("%v %s", err, second)
	}
	s.Signal(syscall.SIGKILL)
	s.End()                       //nolint:errcheck // killed
	again := Launch(t, p, env...) // in place of the socket that was left behind
	again.Signal(syscall.SIGTERM)
	if err := again.End(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the socket is still there")
	}
}

// activate returns a command that starts svc serve with inherited sockets, as systemd does.
func activate(t *testing.T, p Place, names string, listeners []net.Listener, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" serve`, Svc(t))
	cmd.Env = append(append(environment(), "SVC_DATA="+p.Data, "SVC_ROOT_TOKEN="+Token, "LISTEN_FDNAMES="+names,
		"LISTEN_FDS="+string(rune('0'+len(listeners)))), append(slices.Clone(p.Env), env...)...)
	for _, l := range listeners {
		file, err := l.(interface{ File() (*os.File, error) }).File()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		cmd.ExtraFiles = append(cmd.ExtraFiles, file)
	}
	return cmd
}

// bound returns a listener on a free port.
func bound(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestTheServiceTakesSocketsOfTheServiceManager(t *testing.T) {
	t.Parallel()
	notify := filepath.Join(folder(t), "notify")
	messages, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: notify, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer messages.Close()
	next := func() string {
		t.Helper()
		messages.SetReadDeadline(time.Now().Add(time.Minute))
		buffer := make([]byte, 200)
		n, err := messages.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		return string(buffer[:n])
	}
	web, ssh := bound(t), bound(t)
	s := start(t, activate(t, NewPlace(t), "web:ssh", []net.Listener{web, ssh}, "NOTIFY_SOCKET="+notify))
	if got := next(); got != "READY=1" {
		t.Error(got)
	}
	if s.URL != "http://"+web.Addr().String() {
		t.Error(s.URL)
	}
	if status, body, err := s.Do(t.Context(), "GET", "/api/v4/user", ""); status != 200 {
		t.Error(status, body, err)
	}
	if got := banner(t, ssh.Addr().String(), ""); !strings.HasPrefix(got, "SSH-2.0-svc") {
		t.Error(got)
	}
	s.Signal(syscall.SIGHUP)
	if got := next() + " " + next(); got != "RELOADING=1 READY=1" {
		t.Error(got)
	}
	s.Signal(syscall.SIGTERM)
	if got := next(); got != "STOPPING=1" {
		t.Error(got)
	}
	if err := s.End(); err != nil {
		t.Error(err)
	}
}

func TestSocketsThatNothingServesStopTheStart(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{
		"control":      `a socket with the name "control"`,
		"web:metrics":  `a socket with the name "metrics"`,
		"web:web":      `two sockets with the name "web"`,
		"web:redirect": "nothing to redirect to without TLS",
	} {
		listeners := []net.Listener{bound(t)}
		if strings.Contains(names, ":") {
			listeners = append(listeners, bound(t))
		}
		out, err := activate(t, NewPlace(t), names, listeners).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v %s", names, err, out)
		}
	}
}
