package process

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"

	"svc/tests/harness"
)

// The server is killed while it pushes to a mirror. The next process pushes again.
func TestAPushToAMirrorIsFinishedAfterAKill(t *testing.T) {
	t.Parallel()
	to := harness.NewGitServer(t, harness.NewHistory(t))
	began, dead := make(chan struct{}), make(chan struct{})
	var first sync.Once
	to.Around(func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		stalled := false
		if r.Method == http.MethodPost {
			first.Do(func() { stalled = true })
		}
		if stalled {
			close(began)
			<-dead
			return
		}
		serve.ServeHTTP(w, r)
	})
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_WEBHOOK_ALLOW=127.0.0.0/8")
	s := Start(t, p)
	for _, made := range []string{
		"/api/v4/projects?name=origin&initialize_with_readme=true",
		"/api/v4/projects/root%2Forigin/remote_mirrors?" + url.Values{"url": {to.Remote()}, "enabled": {"true"}}.Encode(),
	} {
		if status, body, err := s.Do(t.Context(), "POST", made, ""); err != nil || status != http.StatusCreated {
			t.Fatal(status, body, err)
		}
	}
	<-began
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	close(dead)
	s = Start(t, p)
	ended := s.waitForAnswer("/api/v4/projects/root%2Forigin/remote_mirrors", "the push has ended", func(_ int, body string) bool {
		return !strings.Contains(body, `"update_status":"started"`)
	})
	if !strings.Contains(ended, `"update_status":"finished"`) {
		t.Fatal(ended)
	}
	if refs := to.History.Git("for-each-ref", "refs/heads"); !strings.Contains(refs, "refs/heads/main") {
		t.Error(refs)
	}
}
