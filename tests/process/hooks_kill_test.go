package process

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"svc/tests/wait"
)

// heads records the heads that a receiver of webhooks got.
type heads struct {
	mu   sync.Mutex
	seen []string
	keys map[string]string // by head
}

// ServeHTTP records a delivery of a webhook, or a message of Slack, whose comparison link ends with the head.
func (h *heads) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var body struct{ After, Text string }
	data, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(data, &body) != nil {
		return
	}
	if _, link, found := strings.Cut(body.Text, "..."); found {
		body.After = link[:40]
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, again := h.keys[body.After]; !again {
		h.seen = append(h.seen, body.After)
	}
	h.keys[body.After] = r.Header.Get("Idempotency-Key")
}

func (h *heads) list() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.seen...)
}

// Every push that was answered is delivered, in order, although the server is killed again and again.
func TestAPushThatWasAnsweredIsDeliveredAfterAKill(t *testing.T) {
	t.Parallel()
	to, chat := &heads{keys: map[string]string{}}, &heads{keys: map[string]string{}}
	web, slack := httptest.NewServer(to), httptest.NewServer(chat)
	t.Cleanup(web.Close)
	t.Cleanup(slack.Close)
	place := NewPlace(t)
	place.Env = append(place.Env, "SVC_WEBHOOK_ALLOW=127.0.0.0/8")
	server := Start(t, place)
	if status, body, err := server.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	hook := fmt.Sprintf(`{"url":%q}`, web.URL)
	if status, body, err := server.Do(t.Context(), "POST", "/api/v4/projects/root%2Fp/hooks", hook); status != 201 {
		t.Fatal(status, body, err)
	}
	slackSettings := fmt.Sprintf(`{"webhook":%q,"branches_to_be_notified":"all"}`, slack.URL)
	if status, body, err := server.Do(t.Context(), "PUT", "/api/v4/projects/root%2Fp/integrations/slack", slackSettings); status != 200 {
		t.Fatal(status, body, err)
	}
	var pushed []string
	for round := range 3 {
		for n := range 3 {
			file := fmt.Sprintf("f%d-%d", round, n)
			body := fmt.Sprintf(`{"branch":"main","commit_message":"m","actions":[{"action":"create","file_path":%q,"content":"x"}]}`, file)
			status, answer, err := server.Do(t.Context(), "POST", "/api/v4/projects/root%2Fp/repository/commits", body)
			var made struct{ ID string }
			if status != 201 || json.Unmarshal([]byte(answer), &made) != nil {
				t.Fatal(status, answer, err)
			}
			pushed = append(pushed, made.ID)
		}
		server.Signal(syscall.SIGKILL)
		_ = server.End() // it was killed
		server = Start(t, place)
	}
	wait.Until(t, "every push is delivered", func() bool { return len(to.list()) == len(pushed) && len(chat.list()) == len(pushed) })
	if got := fmt.Sprint(chat.list()[1:]); got != fmt.Sprint(pushed[1:]) { // the first message is about a new branch
		t.Errorf("told %s, pushed %v", got, pushed)
	}
	if got := fmt.Sprint(to.list()); got != fmt.Sprint(pushed) {
		t.Errorf("delivered %s, pushed %v", got, pushed)
	}
}
