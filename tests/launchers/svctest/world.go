package svctest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"
)

// World is an isolated instance with its own URL, data and tokens.
type World struct {
	Name     string `json:"name"`
	URL      string `json:"url"` // without a slash at the end
	Username string `json:"username"`
	Password string `json:"password"`
	Token    string `json:"token"` // of the administrator
	Users    []User `json:"users"`

	control string
}

// User is a user of the test data who has a token.
type User struct{ Username, Token, About string }

// NewWorld says how a world begins. Without Seed and Fixtures it begins as the service did.
type NewWorld struct {
	Name         string  `json:"name,omitempty"`
	Seed         *int    `json:"seed,omitempty"`
	Fixtures     *string `json:"fixtures,omitempty"` // a document, as YAML or JSON text
	TokenTTL     float64 `json:"token_ttl,omitempty"`
	SendWebhooks bool    `json:"send_webhooks,omitempty"`
}

// NewWorld makes a world that exists until the test ends.
func (s *Service) NewWorld(t testing.TB, begin ...NewWorld) *World {
	t.Helper()
	var from NewWorld
	if len(begin) > 0 {
		from = begin[0]
	}
	w := &World{control: s.ControlURL}
	w.send(t, http.MethodPost, "/worlds", from, w)
	t.Cleanup(func() { w.call(t, http.MethodDelete, "", nil, nil) })
	return w
}

// UserToken returns the token of a user of the test data.
func (w *World) UserToken(t testing.TB, username string) string {
	t.Helper()
	for _, u := range w.Users {
		if u.Username == username {
			return u.Token
		}
	}
	t.Fatalf("the test data has no user %s with a token", username)
	return ""
}

// Reset gives the world the data that it began with.
func (w *World) Reset(t testing.TB) {
	t.Helper()
	w.call(t, http.MethodPost, "/reset", nil, nil)
}

// Settle waits until nothing is queued or running in the background.
func (w *World) Settle(t testing.TB) {
	t.Helper()
	w.call(t, http.MethodPost, "/settle", map[string]any{"timeout": 60}, nil)
}

// Forward moves the clock of the world forward, and runs what is due by then.
func (w *World) Forward(t testing.TB, by time.Duration) {
	t.Helper()
	w.call(t, http.MethodPut, "/clock", map[string]any{"forward": by.Seconds(), "timeout": 60}, nil)
}

// SetClock makes the clock of the world show a time, and runs what is due by then.
func (w *World) SetClock(t testing.TB, now time.Time) {
	t.Helper()
	w.call(t, http.MethodPut, "/clock", map[string]any{"now": now, "timeout": 60}, nil)
}

// RealTime lets the clock of the world show the real time again.
func (w *World) RealTime(t testing.TB) {
	t.Helper()
	w.call(t, http.MethodDelete, "/clock", nil, nil)
}

// Fault makes requests fail; docs/test-control.md describes the members.
type Fault struct {
	Kind           string            `json:"kind"` // status, delay, cut, slow or stale
	Method         string            `json:"method,omitempty"`
	Path           string            `json:"path,omitempty"`
	Status         int               `json:"status,omitempty"`
	Body           string            `json:"body,omitempty"`
	Headers        map[string]string `json:"headers,omitempty"`
	RetryAfter     int               `json:"retry_after,omitempty"`
	Delay          float64           `json:"delay,omitempty"`
	AfterBytes     *int              `json:"after_bytes,omitempty"`
	BytesPerSecond int               `json:"bytes_per_second,omitempty"`
	Every          int               `json:"every,omitempty"`
	Count          int               `json:"count,omitempty"`
}

// AddFault makes requests to the world fail.
func (w *World) AddFault(t testing.TB, fault Fault) {
	t.Helper()
	w.call(t, http.MethodPost, "/faults", fault, nil)
}

// ClearFaults removes all faults of the world.
func (w *World) ClearFaults(t testing.TB) {
	t.Helper()
	w.call(t, http.MethodDelete, "/faults", nil, nil)
}

// Request is a request that the world has received.
type Request struct {
	Method, Path, Query, Body string
	Headers                   http.Header
	Status                    int
}

// Requests waits until the world has answered at least count requests whose path matches the pattern, and returns them. An
// empty pattern matches all.
func (w *World) Requests(t testing.TB, path string, count int) (all []Request) {
	t.Helper()
	w.call(t, http.MethodGet, "/requests?path="+url.QueryEscape(path)+"&count="+strconv.Itoa(count), nil, &all)
	return all
}

// Mail is a mail that the world would have sent.
type Mail struct{ To, Subject, Text, HTML string }

// Mails waits for at least count mails, and returns all.
func (w *World) Mails(t testing.TB, count int) (all []Mail) {
	t.Helper()
	w.call(t, http.MethodGet, "/mails?count="+strconv.Itoa(count), nil, &all)
	return all
}

// Webhook is a delivery to a webhook.
type Webhook struct {
	URL, Body string
	Headers   http.Header
	Status    int
}

// Webhooks waits for at least count webhook deliveries, and returns all.
func (w *World) Webhooks(t testing.TB, count int) (all []Webhook) {
	t.Helper()
	w.call(t, http.MethodGet, "/webhooks?count="+strconv.Itoa(count), nil, &all)
	return all
}

// call calls the control plane about this world.
func (w *World) call(t testing.TB, method, path string, body, into any) {
	t.Helper()
	w.send(t, method, "/worlds/"+w.Name+path, body, into)
}

func (w *World) send(t testing.TB, method, path string, body, into any) {
	t.Helper()
	if err := send(w.control, method, path, body, into); err != nil {
		t.Fatal(err)
	}
}

// send calls the control plane.
func send(control, method, path string, body, into any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequest(method, control+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}
