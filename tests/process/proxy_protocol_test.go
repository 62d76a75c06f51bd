package process

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

const proxyHeader = "PROXY TCP4 192.0.2.7 192.0.2.2 56324 443\r\n"

// connect opens a connection and sends a text.
func connect(t *testing.T, address, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// banner returns the first line that a server sends after a text; empty if it closes the connection.
func banner(t *testing.T, address, text string) string {
	t.Helper()
	line, err := bufio.NewReader(connect(t, address, text)).ReadString('\n')
	if err != nil && line == "" {
		return ""
	}
	return line
}

// request is a request for a connection of its own.
const request = "GET /-/health HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n"

func TestTheAddressOfTheClientComesFromATrustedProxy(t *testing.T) {
	t.Parallel()
	s := Launch(t, NewPlace(t),
		"SVC_PROXY_PROTOCOL=true", "SVC_TRUSTED_PROXIES=127.0.0.1", "SVC_LOG_LEVEL=info", "SVC_SSH_LISTEN=127.0.0.1:0")
	web := strings.TrimPrefix(s.URL, "http://")
	for header, ip := range map[string]string{
		proxyHeader: "192.0.2.7",
		"PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\n": "2001:db8::1",
		"PROXY UNKNOWN\r\n":                          "127.0.0.1",
		"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c\xc0\x00\x02\x09\xc0\x00\x02\x02\xdc\x04\x01\xbb": "192.0.2.9",
		"\r\n\r\n\x00\r\nQUIT\n\x20\x00\x00\x00":                                                 "127.0.0.1",
	} {
		if got := banner(t, web, header+request); got != "HTTP/1.1 200 OK\r\n" {
			t.Errorf("%q: %q", header, got)
		}
		s.WaitFor("ip=" + ip)
	}
	s.refusesHostileHeaders(t, web)
	s.WaitFor("Git over SSH is on")
	ssh := regexp.MustCompile(`Git over SSH is on (\S+);`).FindStringSubmatch(s.Output())[1]
	if got := banner(t, ssh, proxyHeader); !strings.HasPrefix(got, "SSH-2.0-svc") {
		t.Errorf("SSH: %q", got)
	}
	if got := banner(t, ssh, "SSH-2.0-x\r\n"); got != "" {
		t.Errorf("SSH without a header: %q", got)
	}
}

// refusesHostileHeaders checks that wrong, long and slow headers end the connection, and that others are served
// meanwhile.
func (s *Server) refusesHostileHeaders(t *testing.T, web string) {
	t.Helper()
	for _, header := range []string{
		"", "PROXY TCP4 192.0.2.7\r\n", "PROXY TCP4 " + strings.Repeat("1", 500) + "\r\n", "PROXY TCP4 x y 1 2\r\n",
		"\r\n\r\n\x00\r\nQUIT\n\x21\x11\xff\xff", "\r\n\r\n\x00\r\nQUIT\n\x21\x31\x00\x04xxxx",
	} {
		if got := banner(t, web, header+request); got != "" {
			t.Errorf("%q: %q", header, got)
		}
	}
	slow := connect(t, web, "PROXY TCP4 192.0.2.7 ")
	began := time.Now()
	if got := banner(t, web, proxyHeader+request); got != "HTTP/1.1 200 OK\r\n" {
		t.Errorf("beside a slow one: %q", got)
	}
	if n, err := slow.Read(make([]byte, 1)); n != 0 || err == nil || time.Since(began) > 20*time.Second {
		t.Errorf("a slow header: %v after %s", err, time.Since(began))
	}
}

func TestAHeaderFromAnUntrustedPeerIsNotBelieved(t *testing.T) {
	t.Parallel()
	s := Start(t, NewPlace(t), "SVC_PROXY_PROTOCOL=true", "SVC_TRUSTED_PROXIES=192.0.2.0/24", "SVC_LOG_LEVEL=info")
	if got := banner(t, strings.TrimPrefix(s.URL, "http://"), proxyHeader+request); !strings.HasPrefix(got, "HTTP/1.1 400 ") {
		t.Errorf("%q", got)
	}
	if strings.Contains(s.Output(), "192.0.2.7") {
		t.Error("the header was believed")
	}
}

func TestTheHeaderComesBeforeTLS(t *testing.T) {
	t.Parallel()
	ca := newIssuer(t)
	s := Launch(t, NewPlace(t), append(
		ca.issue(t.TempDir(), 40*time.Hour), "SVC_PROXY_PROTOCOL=true", "SVC_TRUSTED_PROXIES=127.0.0.1", "SVC_LOG_LEVEL=info",
		"SVC_REDIRECT_LISTEN=127.0.0.1:0",
	)...)
	conn := tls.Client(connect(t, strings.TrimPrefix(s.URL, "https://"), proxyHeader), ca.trust())
	fmt.Fprint(conn, request)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Error(res.StatusCode)
	}
	s.WaitFor("ip=192.0.2.7")
	plain := s.redirectAddress()
	if got := banner(t, plain, proxyHeader+request); got != "HTTP/1.1 301 Moved Permanently\r\n" {
		t.Errorf("the redirect: %q", got)
	}
	if got := banner(t, plain, request); got != "" {
		t.Errorf("the redirect without a header: %q", got)
	}
}
