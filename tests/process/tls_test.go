package process

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/tests/wait"
)

// get sends a request with the administrator's token.
func get(t *testing.T, client *http.Client, method, url string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

func TestTheServiceSpeaksTLSAndHTTP2(t *testing.T) {
	t.Parallel()
	ca := newIssuer(t)
	s := Launch(t, NewPlace(t), append(ca.issue(t.TempDir(), time.Hour*40), "SVC_HSTS=1h", "SVC_REDIRECT_LISTEN=127.0.0.1:0")...)
	if !strings.HasPrefix(s.URL, "https://127.0.0.1:") {
		t.Fatal(s.URL)
	}
	res, body := get(t, ca.client(), "GET", s.URL+"/api/v4/user")
	if res.StatusCode != 200 || res.ProtoMajor != 2 || res.Header.Get("Strict-Transport-Security") != "max-age=3600" {
		t.Errorf("%s %d %v %s", res.Proto, res.StatusCode, res.Header, body)
	}
	if !strings.Contains(body, `"web_url":"`+s.URL+`/root"`) {
		t.Error(body)
	}
	s.refusesOldTLS(ca)
	s.redirects(ca)
	s.servesCurlAndGit(ca)
}

// refusesOldTLS checks that old versions and weak ciphers of TLS are refused.
func (s *Server) refusesOldTLS(ca *issuer) {
	s.t.Helper()
	address := strings.TrimPrefix(s.URL, "https://")
	old, weak, good := ca.trust(), ca.trust(), ca.trust()
	old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	weak.MaxVersion, weak.CipherSuites = tls.VersionTLS12, []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA}
	good.MaxVersion = tls.VersionTLS12
	for name, c := range map[string]*tls.Config{"TLS 1.1": old, "CBC": weak} {
		if conn, err := tls.Dial("tcp", address, c); err == nil {
			conn.Close()
			s.t.Error("accepted", name)
		}
	}
	conn, err := tls.Dial("tcp", address, good)
	if err != nil {
		s.t.Fatal("TLS 1.2:", err)
	}
	conn.Close()
}

// redirectAddress returns the address of the listener without TLS.
func (s *Server) redirectAddress() string {
	s.t.Helper()
	s.WaitFor("Redirects to https are on")
	return regexp.MustCompile(`Redirects to https are on (\S+)\.\n`).FindStringSubmatch(s.Output())[1]
}

// redirects checks the listener without TLS.
func (s *Server) redirects(ca *issuer) {
	s.t.Helper()
	plain := "http://" + s.redirectAddress()
	client := ca.client()
	for path, want := range map[string]string{
		"/acme/hello?x=%2F":                   s.URL + "/acme/hello?x=%2F",
		"/api/v4/projects/acme%2Fhello":       s.URL + "/api/v4/projects/acme%2Fhello",
		"//evil.example.com/x":                s.URL + "//evil.example.com/x",
		"/.well-known/acme-challenge/unknown": s.URL + "/.well-known/acme-challenge/unknown",
	} {
		res, err := client.Get(plain + path)
		if err != nil {
			s.t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusMovedPermanently || res.Header.Get("Location") != want {
			s.t.Errorf("%s: %d %s", path, res.StatusCode, res.Header.Get("Location"))
		}
	}
	res, err := client.Post(plain+"/oauth/token", "text/plain", strings.NewReader("password"))
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		s.t.Error("a write without TLS answers", res.StatusCode)
	}
}

// servesCurlAndGit checks TLS with clients that are not written in Go.
func (s *Server) servesCurlAndGit(ca *issuer) {
	s.t.Helper()
	if curl, err := exec.LookPath("curl"); err == nil {
		out, err := exec.Command(curl, "--silent", "--show-error", "--http2", "--cacert", ca.file, "--output", os.DevNull,
			"--write-out", "%{http_version} %{http_code}", s.URL+"/-/health").CombinedOutput()
		if err != nil || string(out) != "2 200" {
			s.t.Errorf("curl: %v %s", err, out)
		}
	}
	req, err := http.NewRequest("POST", s.URL+"/api/v4/projects", strings.NewReader(`{"name":"safe","initialize_with_readme":true}`))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := ca.client().Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	folder := filepath.Join(s.t.TempDir(), "safe")
	url := strings.Replace(s.URL, "https://", "https://root:"+Token+"@", 1) + "/root/safe.git"
	for _, args := range [][]string{
		{"clone", "--quiet", url, folder},
		{"-C", folder, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "--allow-empty", "--message", "empty"},
		{"-C", folder, "push", "--quiet"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Env = append(environment(), "GIT_SSL_CAINFO="+ca.file)
		if out, err := cmd.CombinedOutput(); err != nil {
			s.t.Fatalf("git %s: %v %s", args, err, out)
		}
	}
}

func TestAWrongKeyStopsTheStart(t *testing.T) {
	t.Parallel()
	ca, p := newIssuer(t), NewPlace(t)
	one, other := ca.issue(t.TempDir(), 40*time.Hour), ca.issue(t.TempDir(), 40*time.Hour)
	for name, env := range map[string][]string{
		"another key": {one[0], other[1]},
		"no file":     {one[0], one[1] + ".gone"},
	} {
		p.Env = append(p.Env, env...)
		out, err := Run(t, p, "serve", "--listen", "127.0.0.1:0")
		if err == nil || !strings.Contains(out, "svc: the certificate of the service: ") {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(p.Data, "svc.db")); err == nil {
		t.Error("an instance was created")
	}
}

func TestAnExpiredCertificateIsWarnedAbout(t *testing.T) {
	t.Parallel()
	ca := newIssuer(t)
	expired := Launch(t, NewPlace(t), ca.issue(t.TempDir(), -time.Hour)...)
	expired.WaitFor("the certificate has expired")
	soon := Launch(t, NewPlace(t), ca.issue(t.TempDir(), time.Hour)...)
	soon.WaitFor("the certificate expires soon")
	other := Launch(t, NewPlace(t), append(ca.issue(t.TempDir(), 40*time.Hour), "SVC_URL=https://git.example.com")...)
	other.WaitFor("the certificate is not for the host of the URL")
}

func TestARenewedCertificateNeedsNoRestart(t *testing.T) {
	t.Parallel()
	ca, folder := newIssuer(t), t.TempDir()
	s := Launch(t, NewPlace(t), ca.issue(folder, 40*time.Hour)...)
	address, client := strings.TrimPrefix(s.URL, "https://"), ca.client()
	if res, _ := get(t, client, "GET", s.URL+"/api/v4/user"); res.TLS.PeerCertificates[0].SerialNumber.Int64() != 2 {
		t.Fatal(res.TLS.PeerCertificates[0].SerialNumber)
	}
	ca.issue(folder, 41*time.Hour)
	s.Signal(syscall.SIGHUP)
	wait.Until(t, "the new certificate is served", func() bool { return ca.served(address) == 3 })
	// The open connection goes on, with the certificate that it began with.
	if res, _ := get(t, client, "GET", s.URL+"/api/v4/user"); res.TLS.PeerCertificates[0].SerialNumber.Int64() != 2 {
		t.Error("the connection was dropped")
	}
	// A broken key leaves the certificate in force.
	if err := os.WriteFile(filepath.Join(folder, "key.pem"), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Signal(syscall.SIGHUP)
	s.WaitFor("the old ones stay in force")
	if got := ca.served(address); got != 3 {
		t.Error(fmt.Sprint("serves certificate ", got))
	}
}
