package listen

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"path/filepath"
	"testing"
	"time"
)

// proxiedListener returns a listener that trusts one network.
func proxiedListener(t *testing.T, trusted string) net.Listener {
	t.Helper()
	below, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Proxied(below, func() []netip.Prefix { return []netip.Prefix{netip.MustParsePrefix(trusted)} }, slog.New(slog.DiscardHandler))
	t.Cleanup(func() { l.Close() })
	return l
}

// dial opens a connection and sends a text.
func dial(t *testing.T, l net.Listener, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial(l.Addr().Network(), l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// accept returns the address of the next connection and what it sends first.
func accept(t *testing.T, l net.Listener) (from, text string) {
	t.Helper()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	buffer := make([]byte, 5)
	if _, err := io.ReadFull(conn, buffer); err != nil {
		t.Fatal(err)
	}
	return conn.RemoteAddr().String(), string(buffer)
}

func TestASlowProxyDelaysNobodyElse(t *testing.T) {
	t.Parallel()
	l := proxiedListener(t, "127.0.0.0/8")
	for range 10 {
		dial(t, l, "PROXY TCP4 192.0") // and then nothing
	}
	dial(t, l, "PROXY TCP4 192.0.2.7 192.0.2.2 56324 443\r\nhello")
	if from, text := accept(t, l); from != "192.0.2.7:56324" || text != "hello" {
		t.Error(from, text)
	}
}

func TestAWrongHeaderEndsTheConnection(t *testing.T) {
	t.Parallel()
	l := proxiedListener(t, "127.0.0.0/8")
	conn := dial(t, l, "GET / HTTP/1.1\r\n\r\n")
	go l.Accept() // hands nothing out
	conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error("answered")
	}
}

func TestAHeaderOfAnUntrustedClientIsNotRead(t *testing.T) {
	t.Parallel()
	l := proxiedListener(t, "192.0.2.0/24")
	conn := dial(t, l, "PROXY TCP4 192.0.2.7 192.0.2.2 56324 443\r\nhello")
	if from, text := accept(t, l); from != conn.LocalAddr().String() || text != "PROXY" {
		t.Error(from, text)
	}
}

func TestAClosedListenerAcceptsNothing(t *testing.T) {
	t.Parallel()
	l := proxiedListener(t, "127.0.0.0/8")
	ended := make(chan error, 1)
	go func() {
		_, err := l.Accept()
		ended <- err
	}()
	l.Close()
	if err := <-ended; err == nil {
		t.Error("accepted a connection")
	}
}

func TestASocketIsReplacedOnlyIfNobodyServesIt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "svc.sock")
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	l, err := Socket(t.Context(), path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dial(t, l, "hello")
	if from, text := accept(t, l); from != "127.0.0.1:0" || text != "hello" {
		t.Error(from, text)
	}
	if second, err := Socket(t.Context(), path, 0o600); err == nil {
		second.Close()
		t.Error("took the socket of another process")
	}
	if _, err := Socket(t.Context(), t.TempDir(), 0o600); err == nil {
		t.Error("replaced a folder")
	}
}

func TestTheManagerIsTold(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := (Manager{socket: path}).Tell(Ready, "STATUS=fine"); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 100)
	n, err := conn.Read(buffer)
	if got := string(buffer[:n]); err != nil || got != "READY=1\nSTATUS=fine" {
		t.Error(got, err)
	}
	if err := (Manager{}).Tell(Ready); err != nil {
		t.Error(err)
	}
	if err := (Manager{socket: fmt.Sprint(path, "x")}).Tell(Ready); err == nil {
		t.Error("told nobody")
	}
}
