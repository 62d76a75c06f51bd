package process

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"svc/tests/harness"
	"svc/tests/wait"
)

// reload writes a file of settings and asks the server to read it. It waits until the server has logged a text once more.
func (s *Server) reload(file, settings, text string) {
	s.t.Helper()
	before := strings.Count(s.Output(), text)
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.Signal(syscall.SIGHUP)
	wait.Until(s.t, "svc prints "+text, func() bool { return strings.Count(s.Output(), text) > before })
}

func TestSIGHUPPutsSettingsIntoForce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(file, []byte("tier: premium\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Start(t, NewPlace(t), "SVC_CONFIG="+file)
	status := func(path string) int {
		t.Helper()
		got, _, err := s.Do(t.Context(), "GET", path, "")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := status("/-/metrics"); got != 200 {
		t.Fatal(got)
	}
	s.reload(file, "tier: premium\nmetrics-allow: 192.0.2.1\nlimit-users: 2\n", `changed="metrics-allow limit-users" needs_restart=nothing`)
	if got := status("/-/metrics"); got != 404 {
		t.Error(got)
	}
	s.reload(file, "tier: free\nthrottle-authenticated: 2\nthrottle-period: 24h\n",
		`changed="metrics-allow throttle-authenticated throttle-period limit-users" needs_restart=tier`)
	if got := []int{status("/api/v4/user"), status("/api/v4/user"), status("/api/v4/user")}; got[2] != 429 {
		t.Error(got)
	}
	s.reload(file, "tier: premium\n", `changed="throttle-authenticated throttle-period" needs_restart=nothing`)
	if got := status("/api/v4/user"); got != 200 {
		t.Error(got)
	}
}

func TestAReloadChangesMailAndWebhooks(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(file, []byte("tier: premium\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	inbox, calls := harness.NewInbox(t), make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		calls <- r.Header.Get("X-Gitlab-Event")
	}))
	t.Cleanup(receiver.Close)
	s := Start(t, NewPlace(t), "SVC_CONFIG="+file, "SVC_LOG_LEVEL=info")
	s.ask("POST", "/api/v4/projects", `{"name":"p"}`, 201, nil)
	hook := fmt.Sprintf(`{"url":%q,"issues_events":true}`, receiver.URL)
	s.ask("POST", "/api/v4/projects/root%2Fp/hooks", hook, 422, nil)

	s.reload(file, "tier: premium\nwebhook-allow: 127.0.0.1\nsmtp-url: "+inbox.URL+"\nmail-from: forge@example.com\n",
		`changed="smtp-url mail-from webhook-allow" needs_restart=nothing`)
	s.ask("POST", "/api/v4/projects/root%2Fp/hooks", hook, 201, nil)
	s.ask("POST", "/api/v4/projects/root%2Fp/issues", `{"title":"first"}`, 201, nil)
	if got := <-calls; got != "Issue Hook" {
		t.Error(got)
	}
	s.ask("POST", "/api/v4/users", `{"username":"jane","name":"Jane","email":"jane@example.com","reset_password":true}`, 201, nil)
	var mails []harness.Mail
	wait.Until(t, "a mail arrives at the new mail server", func() bool {
		mails = append(mails, inbox.Take()...)
		return len(mails) > 0
	})
	if text := fmt.Sprint(mails); !strings.Contains(text, "jane@example.com") || !strings.Contains(text, "forge@example.com") {
		t.Error(text)
	}

	s.reload(file, "tier: premium\n", `changed="smtp-url mail-from webhook-allow" needs_restart=nothing`)
	s.ask("POST", "/api/v4/projects/root%2Fp/hooks", hook, 422, nil)
	s.ask("POST", "/api/v4/users", `{"username":"jack","name":"Jack","email":"jack@example.com","reset_password":true}`, 201, nil)
	s.WaitFor("jack@example.com") // without a mail server, the mail is in the log
	if late := inbox.Take(); strings.Contains(fmt.Sprint(late), "jack") {
		t.Error("the old mail server got the mail")
	}
}

func TestReadinessExplainsItselfToTheNetworksInForce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(file, []byte("tier: premium\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := NewPlace(t)
	s := Start(t, p, "SVC_CONFIG="+file)
	if err := os.Remove(filepath.Join(p.Data, "repositories", "svc-instance")); err != nil {
		t.Fatal(err)
	}
	failing := func(reasons bool) func(int, string) bool {
		return func(status int, body string) bool {
			return status == 503 && strings.Contains(body, `"reasons"`) == reasons
		}
	}
	s.waitForAnswer("/-/readiness", "readiness fails and says why", failing(true))
	s.reload(file, "tier: premium\nmetrics-allow: 192.0.2.1\n", "changed=metrics-allow needs_restart=nothing")
	s.waitForAnswer("/-/readiness", "readiness fails and does not say why", failing(false))
}

func TestBrokenSettingsLeaveTheOldOnesInForce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "svc.yaml")
	if err := os.WriteFile(file, []byte("metrics-allow: 192.0.2.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Start(t, NewPlace(t), "SVC_CONFIG="+file)
	for _, settings := range []string{
		"metrics-allow: [127.0.0.1\n", "metrics-allow: 127.0.0.1\ntier: gold\n", "metrics-allow: 127.0.0.1\nmetrics-alow: x\n",
		"metrics-allow: 127.0.0.1\nwebhook-allow: a/b\n", "metrics-allow: 127.0.0.1\nsmtp-url: http://secret-password@x\n",
	} {
		s.reload(file, settings, "the old ones stay in force")
		if got, _, err := s.Do(t.Context(), "GET", "/-/metrics", ""); got != 404 {
			t.Errorf("%q: %d %v", settings, got, err)
		}
	}
	if strings.Contains(s.Output(), "secret-password") {
		t.Error("a secret is in the log")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	s.Signal(syscall.SIGHUP)
	s.WaitFor("cannot read the file")
	if got, _, err := s.Do(t.Context(), "GET", "/-/metrics", ""); got != 404 {
		t.Error(got, err)
	}
}
