package process

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/tests/wait"
)

// The mail server accepts connections and never answers. Mails wait, everything else continues, and the program ends in
// time.
func TestAMailServerThatNeverAnswersDelaysOnlyMail(t *testing.T) {
	t.Parallel()
	place, office := NewPlace(t), newMailServer(t)
	const patience = 12 * time.Second
	s := Start(t, place, "SVC_SMTP_URL=smtp://"+office.address, "SVC_SHUTDOWN_TIMEOUT="+patience.String())
	jane := createUserAndMergeRequests(t, s)
	for n := range 20 {
		status, text, err := s.Do(t.Context(), "POST", "/api/v4/projects/root%2Fp/issues", fmt.Sprintf(
			`{"title":"Look %d","assignee_ids":[%d]}`, n, jane,
		))
		if status != http.StatusCreated {
			t.Fatal(status, text, err)
		}
	}
	wait.Until(t, "four mails wait", func() bool { return office.waiting.Load() >= 4 })
	status, text, err := s.Do(t.Context(), "POST", "/api/v4/projects/root%2Fp/repository/commits",
		`{"branch":"later","start_branch":"main","commit_message":"Later","actions":[{"action":"create",`+
			`"file_path":"later","content":"x"}]}`)
	if status != http.StatusCreated {
		t.Fatal(status, text, err)
	}
	pipelines := "/api/v4/projects/root%2Fp/pipelines?ref=later"
	s.waitForAnswer(pipelines, "there is a pipeline", func(status int, body string) bool {
		return status == http.StatusOK && strings.Contains(body, `"id"`)
	})
	if office.waiting.Load() < 4 {
		t.Error("the letters do not wait any more")
	}
	began := time.Now()
	s.Signal(syscall.SIGTERM)
	if err := s.End(); err != nil || time.Since(began) > patience {
		t.Errorf("ended after %s with %v\n%s", time.Since(began), err, s.Output())
	}
}
