package api

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"

	"github.com/getsentry/sentry-go"
)

// projectWithErrorTracking makes a project with integrated error tracking and returns the DSN and the key for a client library.
func projectWithErrorTracking(t *testing.T, h *harness.H) (owner *harness.Caller, p model.Project, base, dsn, key string) {
	t.Helper()
	owner = h.NewUser()
	p = h.Project(*owner.User.NamespaceID)
	base = fmt.Sprintf("/projects/%d/error_tracking", p.ID)
	expect(t, owner.JSON("PUT", base+"/settings", `{"active":true,"integrated":true}`), 200,
		`{"active":true,"project_name":null,"errsvc_external_url":null,"api_url":null,"integrated":true}`)
	made := read[struct {
		PublicKey string `json:"public_key"`
		DSN       string `json:"errsvc_dsn"`
	}](t, owner.Send("POST", base+"/client_keys", ""), 201)
	return owner, p, base, made.DSN, made.PublicKey
}

type trackedError struct {
	ID                          int64
	Title, Description, Culprit string
	Status, Level               string
	Count                       int64
	ResolvedAt                  *string `json:"resolved_at"`
}

func TestErrorTrackingSettings(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	at := fmt.Sprintf("/projects/%d/error_tracking/settings", p.ID)
	none := `{"message":"404 Error Tracking Setting Not Found"}`
	expect(t, owner.Send("GET", at, ""), 404, none)
	expect(t, owner.JSON("PATCH", at, `{"active":true}`), 404, none)
	expect(t, owner.JSON("PUT", at, `{"integrated":true}`), 400, `{"error":"active is missing"}`)
	expect(t, owner.JSON("PUT", at, `{"active":true}`), 400, `{"error":"integrated is missing"}`)
	expect(t, owner.JSON("PUT", at, `{"active":true,"integrated":true}`), 200, "")
	off := `{"active":false,"project_name":null,"errsvc_external_url":null,"api_url":null,"integrated":true}`
	expect(t, owner.JSON("PATCH", at, `{"active":false}`), 200, off)
	expect(t, owner.Send("GET", at, ""), 200, off)
	expect(t, h.ProjectMember(p, model.Developer).Send("GET", at, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("GET", at, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().Send("GET", at, ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestErrorTrackingClientKeys(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, p, base, dsn, key := projectWithErrorTracking(t, h)
	if want := strings.Replace(h.URL, "http://", "http://"+key+"@", 1) +
		fmt.Sprintf("/api/v4/error_tracking/collector/%d", p.ID); dsn != want {
		t.Errorf("%s, want %s", dsn, want)
	}
	listed := owner.Send("GET", base+"/client_keys", "")
	if expect(t, listed, 200, ""); !strings.Contains(listed.Body, key) {
		t.Error(listed.Body)
	}
	expect(t, owner.Send("DELETE", base+"/client_keys/9999", ""), 404, `{"message":"404 Not found"}`)
	gone := owner.Send("DELETE", base+"/client_keys/1", "")
	expect(t, gone, 200, strings.Trim(listed.Body, "[]"))
	expect(t, owner.Send("GET", base+"/client_keys", ""), 200, "[]")
	expect(t, sendStore(t, h, p.ID, key, `{"message":"late"}`), 401, `{"message":"401 Unauthorized"}`)
}

// sendStore sends an event as older client libraries do.
func sendStore(t *testing.T, h *harness.H, project int64, key, body string) harness.Answer {
	t.Helper()
	return h.WithHeaders("X-Sentry-Auth", "Sentry sentry_version=7, sentry_key="+key, "Content-Type", "application/json").
		Send("POST", fmt.Sprintf("/error_tracking/collector/api/%d/store/", project), body)
}

type cartError struct{}

func (cartError) Error() string { return "the cart 17 is empty" }

// newErrorClient returns an unmodified client library that reports to the project of a DSN.
func newErrorClient(t *testing.T, dsn string) *sentry.Hub {
	t.Helper()
	client, err := sentry.NewClient(sentry.ClientOptions{
		Dsn:              dsn,
		Environment:      "staging",
		Release:          "shop@1.0",
		AttachStacktrace: true,
		Transport:        sentry.NewHTTPSyncTransport(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return sentry.NewHub(client, sentry.NewScope())
}

func TestAnUnmodifiedClientLibraryReportsErrors(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, _, base, dsn, _ := projectWithErrorTracking(t, h)
	hub := newErrorClient(t, dsn)
	var ids []string
	for range 3 {
		id := hub.CaptureException(fmt.Errorf("pay: %w", cartError{}))
		if id == nil {
			t.Fatal("nothing was sent")
		}
		ids = append(ids, string(*id))
	}
	hub.CaptureMessage("started")
	hub.Flush(2 * time.Second)
	rows := read[[]trackedError](t, owner.Send("GET", base+"/errors?order_by=count", ""), 200)
	if len(rows) != 2 || rows[0].Count != 3 || rows[0].Description != "pay: the cart 17 is empty" ||
		rows[1].Title != "started" || rows[1].Level != "info" {
		t.Fatalf("%+v", rows)
	}
	events := read[[]struct {
		EventID              string `json:"event_id"`
		Environment, Release string
		Payload              map[string]any
	}](t, owner.Send("GET", fmt.Sprintf("%s/errors/%d/events", base, rows[0].ID), ""), 200)
	if len(events) != 3 || events[0].EventID != ids[2] || events[0].Environment != "staging" ||
		events[0].Release != "shop@1.0" || events[0].Payload["exception"] == nil {
		t.Errorf("%+v", events)
	}
}

func TestAResolvedErrorThatHappensAgainIsUnresolved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, _, base, dsn, _ := projectWithErrorTracking(t, h)
	hub := newErrorClient(t, dsn)
	for range 3 {
		hub.CaptureException(fmt.Errorf("pay: %w", cartError{}))
	}
	hub.CaptureMessage("started")
	hub.Flush(2 * time.Second)
	rows := read[[]trackedError](t, owner.Send("GET", base+"/errors?order_by=count", ""), 200)
	if len(rows) != 2 {
		t.Fatalf("%+v, want two errors", rows)
	}
	one := fmt.Sprintf("%s/errors/%d", base, rows[0].ID)
	resolved := read[trackedError](t, owner.JSON("PUT", one, `{"status":"resolved"}`), 200)
	if resolved.Status != "resolved" || resolved.ResolvedAt == nil {
		t.Errorf("%+v", resolved)
	}
	if left := read[[]trackedError](t, owner.Send("GET", base+"/errors?status=unresolved", ""), 200); len(left) != 1 {
		t.Errorf("%+v", left)
	}
	hub.CaptureException(fmt.Errorf("pay: %w", cartError{}))
	again := read[trackedError](t, owner.Send("GET", one, ""), 200)
	if again.Status != "unresolved" || again.Count != 4 || again.ResolvedAt != nil {
		t.Errorf("the error that happened again is still resolved: %+v", again)
	}
}

func TestErrorsAreCountedOnce(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, p, base, _, key := projectWithErrorTracking(t, h)
	event := `{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc","message":"boom"}`
	expect(t, sendStore(t, h, p.ID, key, event), 200, `{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}`)
	expect(t, sendStore(t, h, p.ID, key, event), 200, `{"id":"9ec79c33ec9942ab8353589fcb2e04dc"}`)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := io.WriteString(w, "{}\n{\"type\":\"event\"}\n"+`{"message":"boom"}`+"\n")
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	sent := h.WithHeaders("Content-Encoding", "gzip", "Content-Type", "application/x-sentry-envelope").
		Send("POST", fmt.Sprintf("/error_tracking/collector/api/%d/envelope/?sentry_key=%s", p.ID, key), packed.String())
	expect(t, sent, 200, "")
	rows := read[[]trackedError](t, owner.Send("GET", base+"/errors?search=BOO", ""), 200)
	if len(rows) != 1 || rows[0].Count != 2 || rows[0].Title != "boom" {
		t.Errorf("%+v", rows)
	}
	h.Golden("getProjectErrorTrackingError/message", owner.Send("GET", fmt.Sprintf("%s/errors/%d", base, rows[0].ID), "").Body)
	for range 160 {
		expect(t, sendStore(t, h, p.ID, key, `{"message":"boom"}`), 200, "")
	}
	all := owner.Send("GET", fmt.Sprintf("%s/errors/%d/events?per_page=1", base, rows[0].ID), "")
	if n := all.Header.Get("X-Total"); n != "112" { // the stored events are cut to 100 when the 150th arrives
		t.Errorf("%s events are kept", n)
	}
}

func TestInvalidErrorReportsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, p, base, _, key := projectWithErrorTracking(t, h)
	other := h.Project(*owner.User.NamespaceID)
	bad := `{"message":"400 Bad request - the event cannot be read"}`
	unauthorized := `{"message":"401 Unauthorized"}`
	expect(t, sendStore(t, h, p.ID, "", "{}"), 401, unauthorized)
	expect(t, sendStore(t, h, p.ID, "wrong", "{}"), 401, unauthorized)
	expect(t, sendStore(t, h, other.ID, key, "{}"), 401, unauthorized)
	expect(t, sendStore(t, h, 99999, key, "{}"), 401, unauthorized)
	for _, body := range []string{
		"", "17", `{"a":`, `{"message":"` + "\\u0000" + `"}`, strings.Repeat(`[`, 200),
		`{"m":"` + strings.Repeat("x", 300<<10) + `"}`,
	} {
		expect(t, sendStore(t, h, p.ID, key, body), 400, bad)
	}
	expect(t, sendStore(t, h, p.ID, key, strings.Repeat("x", 2<<20)), 413, "")
	envelope := func(body string, more ...string) harness.Answer {
		return h.WithHeaders(append([]string{"Content-Type", "application/x-sentry-envelope"}, more...)...).
			Send("POST", fmt.Sprintf("/error_tracking/collector/api/%d/envelope/?sentry_key=%s", p.ID, key), body)
	}
	expect(t, envelope("{}\n{\"type\":\"event\",\"length\":99999999}\n{}"), 400, bad)
	expect(t, envelope("no gzip", "Content-Encoding", "gzip"), 400, bad)
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := w.Write(make([]byte, 64<<20)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	expect(t, envelope(bomb.String(), "Content-Encoding", "gzip"), 413, "")
	expect(t, envelope("{}", "Content-Encoding", "br"), http.StatusUnsupportedMediaType, "")
	expect(t, owner.Send("GET", base+"/errors", ""), 200, "[]")
	expect(t, owner.JSON("PATCH", base+"/settings", `{"active":false}`), 200, "")
	expect(t, sendStore(t, h, p.ID, key, "{}"), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.ProjectMember(p, model.Reporter).Send("GET", base+"/errors", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.ProjectMember(p, model.Developer).Send("GET", base+"/errors", ""), 200, "[]")
	expect(t, owner.Send("GET", base+"/errors/17", ""), 404, `{"message":"404 Not found"}`)
}
