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

// The server is killed while another server sends the objects of a repository. The next process imports it.
func TestAnImportByURLIsFinishedAfterAKill(t *testing.T) {
	t.Parallel()
	history := harness.NewHistory(t)
	history.Write("a.txt", "a\n")
	history.Commit("Ann <ann@example.com>", "First")
	from := harness.NewGitServer(t, history)
	began, dead := make(chan struct{}), make(chan struct{})
	var first sync.Once
	from.Around(func(w http.ResponseWriter, r *http.Request, serve http.Handler) {
		stalled := false
		if r.Method == http.MethodPost {
			first.Do(func() { stalled = true })
		}
		if stalled {
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			close(began)
			<-dead
			return
		}
		serve.ServeHTTP(w, r)
	})
	p := NewPlace(t)
	p.Env = append(p.Env, "SVC_WEBHOOK_ALLOW=127.0.0.0/8")
	s := Start(t, p)
	form := url.Values{"name": {"copy"}, "import_url": {from.Remote()}}.Encode()
	status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects?"+form, "")
	if err != nil || status != http.StatusCreated {
		t.Fatal(status, body, err)
	}
	<-began
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	close(dead)
	s = Start(t, p)
	ended := s.waitForAnswer("/api/v4/projects/root%2Fcopy/import", "the import has ended", func(_ int, body string) bool {
		return !strings.Contains(body, `"import_status":"started"`)
	})
	if !strings.Contains(ended, `"import_status":"finished"`) {
		t.Fatal(ended)
	}
	if status, body, err := s.Do(t.Context(), "GET", "/api/v4/projects/root%2Fcopy/repository/files/a.txt/raw", ""); err != nil ||
		status != http.StatusOK || strings.TrimSpace(body) != "a" {
		t.Error(status, body, err)
	}
}
