package api

import (
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

func TestAnAlertIsAcceptedWithEveryKindOfCredential(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	basic := func(name, password string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
	}
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"a"}`), 200, `[{"iid":1,"title":"a"}]`)
	expect(t, notify(t, i.URL, "bearer "+i.Key, `{"title":"b"}`), 200, `[{"iid":2,"title":"b"}]`)
	expect(t, notify(t, i.URL, basic("", i.Key), `{"title":"c"}`), 200, `[{"iid":3,"title":"c"}]`)
	expect(t, notify(t, strings.Replace(i.URL, "http://", "http://:"+i.Key+"@", 1), "", `{"title":"d"}`), 200, `[{"iid":4,"title":"d"}]`)
	expect(t, notify(t, strings.Replace(i.URL, "uptime-checks", "any-name", 1), "Bearer "+i.Key, `{"title":"e"}`),
		200, `[{"iid":5,"title":"e"}]`)
	expect(t, notify(t, i.URL, "Bearer "+i.Key, metrics(metric("m", "firing"))), 200, `[{"iid":6,"title":"m"}]`)
	for _, wrong := range []string{
		"", "Bearer", "Bearer wrong", "Bearer " + i.Key + "0", basic("user", i.Key), basic("", "wrong"),
		basic(i.Key, ""), "Token " + i.Key, i.Key,
	} {
		refusedEmpty(t, notify(t, i.URL, wrong, `{"title":"no"}`), 401)
	}
	show := func(visibility string) {
		t.Helper()
		expect(t, owner.JSON("PUT", base, `{"visibility":"`+visibility+`"}`), 200, "")
	}
	show("public")
	refusedEmpty(t, notify(t, strings.Replace(i.URL, i.Identifier, strings.Repeat("0", 16), 1), "Bearer "+i.Key, `{}`), 403)
	show("private")
	refusedEmpty(t, notify(t, strings.Replace(i.URL, "/web/", "/nothing/", 1), "Bearer "+i.Key, `{}`), 404)
	other := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Path = "other" })
	refusedEmpty(t, notify(t, strings.Replace(i.URL, "/web/", "/"+other.Path+"/", 1), "Bearer "+i.Key, `{}`), 404)
	plain, single := h.URL+"/watcher/web/alerts/notify.json", h.URL+"/watcher/web/prometheus/alerts/notify.json"
	refusedEmpty(t, notify(t, plain, "Bearer "+i.Key, `{}`), 404)
	old := read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"http","name":"old","legacy":true}`), 201)
	expect(t, owner.JSON("POST", base+"/alert_integrations", `{"type":"http","name":"again","legacy":true}`), 400,
		`{"message":{"legacy":["has already been taken"]}}`)
	metered := read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"metrics","name":"old","legacy":true}`), 201)
	if old.URL != plain || metered.URL != single || !old.Legacy {
		t.Errorf("%s, %s", old.URL, metered.URL)
	}
	expect(t, notify(t, plain, "Bearer "+old.Key, `{"title":"f"}`), 200, `[{"iid":7,"title":"f"}]`)
	expect(t, notify(t, single, "Bearer "+metered.Key, metrics(metric("n", "firing"), metric("o", "firing"))), 200,
		`[{"iid":8,"title":"n"},{"iid":9,"title":"o"}]`)
	expect(t, notify(t, single, "Bearer "+metered.Key, metrics()), 200, `[]`)
	refusedEmpty(t, notify(t, single, "Bearer "+metered.Key, `{"title":"g"}`), 422)
	expect(t, owner.Send("POST", base+"/archive", ""), 201, "")
	refusedEmpty(t, notify(t, i.URL, "Bearer "+i.Key, `{}`), 403)
	if n := owner.Send("GET", base+"/alerts?per_page=1", "").Header.Get("X-Total"); n != "9" {
		t.Errorf("%s alerts", n)
	}
}

func TestInvalidAlertPayloadsAreRefused(t *testing.T) {
	t.Parallel()
	_, owner, _, base, i := projectWithAlertIntegration(t)
	deep := strings.Repeat(`{"a":`, 100) + `{}` + strings.Repeat(`}`, 100)
	bad := []string{
		"", "17", "[]", `{"title":`, `{"title":"a","title":"b"}`, `{"title":5}`, `{"hosts":[1]}`,
		`{"fingerprint":{}}`, `{"start_time":"soon"}`, `{"end_time":5}`, `{"severity":[]}`, deep,
		`{"title":"` + strings.Repeat("x", 1<<20-11) + `"}`, // 1 MiB and 1 byte
		"{\"title\":\"a\\u0000\"}", metrics(`{"labels":{}}`), metrics(metric("good", "firing"), `{"labels":{"alertname":"x"}}`),
	}
	if n := len(bad[12]); n != 1<<20+1 {
		t.Fatal(n)
	}
	for _, body := range bad {
		refusedEmpty(t, notify(t, i.URL, "Bearer "+i.Key, body), 400)
	}
	// The size and the nesting depth are checked before the integration and the key.
	refusedEmpty(t, notify(t, i.URL, "Bearer wrong", bad[12]), 400)
	refusedEmpty(t, notify(t, i.URL, "Bearer wrong", deep), 400)
	refusedEmpty(t, notify(t, i.URL, "Bearer wrong", "17"), 401)
	expect(t, owner.Send("GET", base+"/alerts", ""), 200, "[]")
	expect(t, notify(t, i.URL, "Bearer "+i.Key, strings.Repeat(`{"a":`, 99)+`{}`+strings.Repeat(`}`, 99)), 200,
		`[{"iid":1,"title":"New: Alert"}]`)
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"`+strings.Repeat("x", 1<<20-12)+`"}`), 200, "")
}

// alertIntake is a project that receives alerts through an integration.
type alertIntake struct {
	h     *harness.H
	owner *harness.Caller
	base  string
	i     integration
}

func newAlertIntake(t *testing.T) alertIntake {
	t.Helper()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	return alertIntake{h: h, owner: owner, base: base, i: i}
}

// send posts a payload and compares the alerts in the answer.
func (a alertIntake) send(t *testing.T, body, want string) {
	t.Helper()
	expect(t, notify(t, a.i.URL, "Bearer "+a.i.Key, body), 200, want)
}

// get returns an alert as the owner of the project sees it.
func (a alertIntake) get(t *testing.T, iid int) alertRow {
	t.Helper()
	return read[alertRow](t, a.owner.Send("GET", fmt.Sprintf("%s/alerts/%d", a.base, iid), ""), 200)
}

func TestAlertsAreGroupedAndResolved(t *testing.T) {
	t.Parallel()
	in := newAlertIntake(t)
	first := `[{"iid":1,"title":"Disk"}]`
	in.send(t, `{"title":"Disk","fingerprint":"disk","severity":"LOW","hosts":"a","svc_environment_name":"prod",`+
		`"start_time":"2026-05-01T10:00:00Z","extra":{"x":[1]}}`, first)
	in.send(t, `{"title":"Other title","fingerprint":"disk"}`, first)
	in.send(t, `{"fingerprint":"disk","end_time":"2026-05-01T11:00:00Z"}`, first)
	if a := in.get(t, 1); a.Events != 2 || a.Status != "resolved" || a.EndedAt == nil ||
		!strings.HasPrefix(*a.EndedAt, "2026-05-01T11:00:00") || a.Severity != "low" || *a.Environment != "prod" {
		t.Errorf("%+v", a)
	}
	in.h.Golden("getProjectAlert/generic", in.owner.Send("GET", in.base+"/alerts/1", "").Body)
	in.send(t, `{"fingerprint":"disk","end_time":"2026-05-01T11:00:00Z"}`, first) // sent a second time
	in.send(t, `{"title":"Disk","fingerprint":"disk"}`, `[{"iid":2,"title":"Disk"}]`)
	in.send(t, `{"title":"Gone","fingerprint":"gone","end_time":"2026-05-01T11:00:00Z"}`, `[{"iid":3,"title":"Gone"}]`)
	if a := in.get(t, 3); a.Status != "resolved" || a.Events != 1 {
		t.Errorf("%+v", a)
	}
	// Without a fingerprint, alerts with the same content are the same alert.
	in.send(t, `{"title":"Same","hosts":"a"}`, `[{"iid":4,"title":"Same"}]`)
	in.send(t, `{"hosts":"b","title":"Same","start_time":"2026-05-01"}`, `[{"iid":4,"title":"Same"}]`)
	in.send(t, `{"title":"Same","more":1}`, `[{"iid":5,"title":"Same"}]`)
}

func TestMetricsAlertsAreGroupedAndResolved(t *testing.T) {
	t.Parallel()
	in := newAlertIntake(t)
	in.send(t, metrics(metric("m", "firing"), metric("n", "firing")), `[{"iid":1,"title":"m"},{"iid":2,"title":"n"}]`)
	in.send(t, metrics(metric("m", "resolved"), metric("n", "firing"), metric("n", "firing")),
		`[{"iid":1,"title":"m"},{"iid":2,"title":"n"},{"iid":2,"title":"n"}]`)
	m := in.get(t, 1)
	if n := in.get(t, 2); m.Status != "resolved" || m.Severity != "high" || n.Events != 3 || n.Status != "triggered" {
		t.Errorf("%+v, %+v", m, n)
	}
	if m.Details["team"] != "web" || m.MetricQuery == nil || *m.MetricQuery != "up" {
		t.Errorf("%+v", m)
	}
	in.send(t, metrics(metric("m", "firing")), `[{"iid":3,"title":"m"}]`)
	many := make([]string, 130)
	for n := range many {
		many[n] = metric(fmt.Sprintf("many %d", n), "firing")
	}
	if got := read[[]any](t, notify(t, in.i.URL, "Bearer "+in.i.Key, metrics(many...)), 200); len(got) != 100 {
		t.Errorf("%d alerts are taken in, want 100", len(got))
	}
}

func TestTheFreeTierHasOneAlertIntegrationOfEachType(t *testing.T) {
	t.Parallel()
	_, owner, _, base, i := projectWithAlertIntegration(t, func(c *config.Config) { c.Tier = "free" })
	for n := 1; n <= 2; n++ {
		expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"Same"}`), 200, fmt.Sprintf(`[{"iid":%d,"title":"Same"}]`, n))
	}
	for range 2 {
		expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"x","fingerprint":"x"}`), 200, `[{"iid":3,"title":"x"}]`)
	}
	all := base + "/alert_integrations"
	expect(t, owner.JSON("POST", all, `{"type":"http","name":"second"}`), 400,
		`{"message":"Maximum number of alert integrations (one of each type) exceeded"}`)
	expect(t, owner.JSON("POST", all, `{"type":"metrics","name":"second"}`), 201, "")
	expect(t, owner.JSON("PUT", fmt.Sprintf("%s/%d", all, i.ID), `{"sample":{"a":"b"},"mapping":{"title":["a"]}}`),
		403, `{"message":"403 Forbidden - mappings are available in paid tiers only"}`)
}

func TestConcurrentAlertsWithOneFingerprintBecomeOneAlert(t *testing.T) {
	t.Parallel()
	_, owner, _, base, i := projectWithAlertIntegration(t)
	const senders, each = 8, 5
	var wait sync.WaitGroup
	for n := range senders {
		wait.Go(func() {
			for m := range each {
				body := `{"title":"Same","fingerprint":"same"}`
				if m == each-1 {
					body = fmt.Sprintf(`{"title":"Own","fingerprint":"own %d"}`, n)
				}
				if got := notify(t, i.URL, "Bearer "+i.Key, body); got.Status != 200 {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			}
		})
	}
	wait.Wait()
	rows := read[[]alertRow](t, owner.Send("GET", base+"/alerts?order_by=iid&sort=asc", ""), 200)
	if len(rows) != senders+1 {
		t.Fatalf("%d alerts", len(rows))
	}
	for n, a := range rows {
		if a.IID != int64(n+1) {
			t.Errorf("number %d is %d", n+1, a.IID)
		}
		if want := int64(1); a.Title == "Same" && a.Events != senders*(each-1) || a.Title == "Own" && a.Events != want {
			t.Errorf("%+v", a)
		}
	}
}

func TestAlertsAreThrottled(t *testing.T) {
	t.Parallel()
	_, owner, _, base, i := projectWithAlertIntegration(t, func(c *config.Config) { c.ThrottleAlerts = 3 })
	for range 3 {
		expect(t, notify(t, i.URL, "Bearer "+i.Key, `{}`), 200, "")
		refusedEmpty(t, notify(t, i.URL, "Bearer wrong", `{}`), 401) // a wrong key does not use up the limit
	}
	over := notify(t, i.URL, "Bearer "+i.Key, `{}`)
	if expect(t, over, 429, "Retry later"); over.Header.Get("Retry-After") == "" {
		t.Error("it is not told when")
	}
	if a := read[alertRow](t, owner.Send("GET", base+"/alerts/1", ""), 200); a.Events != 3 {
		t.Errorf("%+v", a)
	}
}

// A caller without the key cannot tell a non-public project from one that does not exist.
func TestAlertURLsDoNotRevealHiddenProjects(t *testing.T) {
	t.Parallel()
	h, owner, p, base, i := projectWithAlertIntegration(t)
	old := read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"http","name":"old","legacy":true}`), 201)
	deep := strings.Repeat("[", 200)
	for _, visibility := range []model.Visibility{model.Private, model.Internal, model.Public} {
		if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"visibility": visibility}); err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{`{}`, deep} {
			for _, key := range []string{"", "Bearer wrong"} {
				unknown := notify(t, strings.Replace(i.URL, i.Identifier, strings.Repeat("0", 16), 1), key, body)
				guessed := notify(t, old.URL, key, body)
				if visibility != model.Public && (unknown.Status != 404 || guessed.Status != 404) {
					t.Errorf("visibility %d, key %q: %d and %d", visibility, key, unknown.Status, guessed.Status)
				}
				if visibility == model.Public && body != deep && (unknown.Status != 403 || guessed.Status != 401) {
					t.Errorf("of a public project: %d and %d", unknown.Status, guessed.Status)
				}
			}
		}
	}
}
