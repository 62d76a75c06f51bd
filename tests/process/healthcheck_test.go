package process

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/tests/wait"
)

// settingsOf returns the settings of a server on a free port, with the port that it has really taken, for commands that
// ask it.
func (s *Server) settingsOf(p Place, env []string) Place {
	scheme, host, _ := strings.Cut(s.URL, "://")
	return Place{Data: p.Data, Env: slices.Concat(p.Env, []string{"SVC_LISTEN=" + host, "SVC_URL=" + scheme + "://" + host}, env)}
}

func TestHealthcheckAsksOverTLSSocketsAndTheProxyProtocol(t *testing.T) {
	t.Parallel()
	tls := newIssuer(t).issue(t.TempDir(), 40*time.Hour)
	socket := []string{"SVC_LISTEN=unix:" + filepath.Join(folder(t), "svc.sock"), "SVC_URL=https://git.example.com"}
	both := []string{"SVC_LISTEN=unix:" + filepath.Join(folder(t), "svc.sock"), "SVC_URL=https://git.example.com"}
	proxy := []string{"SVC_PROXY_PROTOCOL=true", "SVC_TRUSTED_PROXIES=127.0.0.1"}
	for name, env := range map[string][]string{
		"plain":                   nil,
		"TLS":                     tls,
		"socket":                  socket,
		"trusted by the protocol": proxy,
		"not trusted":             {"SVC_PROXY_PROTOCOL=true", "SVC_TRUSTED_PROXIES=192.0.2.1"},
		"TLS and protocol":        slices.Concat(tls, proxy),
		"socket and both":         slices.Concat(both, tls, proxy),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := NewPlace(t)
			s := Launch(t, p, env...)
			asked := s.settingsOf(p, env)
			var out string
			wait.Until(t, "svc healthcheck succeeds", func() bool {
				var err error
				out, err = Run(t, asked, "healthcheck")
				return err == nil
			})
			if !strings.Contains(out, `"status":"ok"`) {
				t.Error(out)
			}
			s.stop()
			if out, err := Run(t, asked, "healthcheck"); err == nil || !strings.Contains(out, "svc: the service does not answer: ") {
				t.Errorf("stopped: %v %s", err, out)
			}
		})
	}
}

func TestDoctorAsksAServiceWithTLS(t *testing.T) {
	t.Parallel()
	ca, p := newIssuer(t), NewPlace(t)
	env := ca.issue(t.TempDir(), 40*time.Hour)
	s := Launch(t, p, env...)
	asked := s.settingsOf(p, env)
	unknown := doctor(t, asked, 1, "--only", "connections,certificate")
	if got := unknown.texts("connections"); !strings.Contains(got, "answers on 127.0.0.1:") || !strings.Contains(got, "certificate") {
		t.Error(got)
	}
	if unknown.status("certificate") != "ok" {
		t.Error(unknown.texts("certificate"))
	}
	asked.Env = append(asked.Env, "SSL_CERT_FILE="+ca.file)
	doctor(t, asked, 0, "--only", "connections,certificate")

	asked.Env = append(asked.Env, ca.issue(t.TempDir(), -time.Hour)...)
	if got := doctor(t, asked, 1, "--only", "certificate").texts("certificate"); !strings.Contains(got, "the certificate has expired") {
		t.Error(got)
	}
}
