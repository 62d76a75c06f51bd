package api

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type integration struct {
	ID              int64
	Type, Name, URL string
	Key             string
	Active, Legacy  bool
	Identifier      string `json:"endpoint_identifier"`
	Sample, Mapping map[string]any
}

type alertRow struct {
	IID                      int64
	Title, Status, Severity  string
	Description, Service     *string
	Environment, Fingerprint *string
	Hosts                    []string
	Events                   int64
	StartedAt                string  `json:"started_at"`
	EndedAt                  *string `json:"ended_at"`
	IssueIID                 *int64  `json:"issue_iid"`
	Assignees                []struct{ ID int64 }
	Details, Payload         map[string]any
	MetricQuery              *string `json:"metric_query"`
}

// projectWithAlertIntegration makes a project with an alert integration.
func projectWithAlertIntegration(
	t *testing.T, edit ...func(*config.Config),
) (h *harness.H, owner *harness.Caller, p model.Project, base string, i integration) {
	t.Helper()
	h = harness.New(t, edit...)
	owner = h.NewUser(func(u *model.User) { u.Username, u.Name = "watcher", "Watcher" })
	p = h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Name, p.Path = "web", "web" })
	base = fmt.Sprintf("/projects/%d", p.ID)
	i = read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"http","name":"Uptime Checks!"}`), 201)
	return h, owner, p, base, i
}

// notify posts a payload to the URL of an integration, with an Authorization header.
func notify(t *testing.T, url, authorization, body string) harness.Answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return harness.Answer{Status: res.StatusCode, Header: res.Header, Body: strings.TrimSpace(string(data))}
}

// refusedEmpty checks that a response has the given status and an empty body.
func refusedEmpty(t *testing.T, a harness.Answer, status int) {
	t.Helper()
	if a.Status != status || a.Body != "" {
		t.Errorf("%d %q, want %d and nothing", a.Status, a.Body, status)
	}
}

// metrics returns a payload in the metrics-alerting format.
func metrics(alerts ...string) string {
	return `{"receiver":"svc","status":"firing","alerts":[` + strings.Join(alerts, ",") +
		`],"groupLabels":{},"commonLabels":{},"commonAnnotations":{},"externalURL":"http://am","version":"4",` +
		`"groupKey":"{}","truncatedAlerts":0}`
}

func metric(name, status string) string {
	return fmt.Sprintf(`{"status":%q,"labels":{"alertname":%q,"severity":"page"},"annotations":{"description":"d",`+
		`"team":"web"},"startsAt":"2026-05-01T10:00:00.5Z",`+
		`"endsAt":"0001-01-01T00:00:00Z","generatorURL":"http://m/graph?g0.expr=up","fingerprint":%q}`, status, name, name)
}

func TestAlertIntegrationsAreCreatedAndRead(t *testing.T) {
	t.Parallel()
	h, owner, p, base, made := projectWithAlertIntegration(t)
	at := fmt.Sprintf("%s/alert_integrations/%d", base, made.ID)
	if want := fmt.Sprintf("%s/watcher/web/alerts/notify/uptime-checks/%s.json", h.URL, made.Identifier); made.URL != want ||
		len(made.Key) != 32 || len(made.Identifier) != 16 || !made.Active {
		t.Errorf("%+v, want %s", made, want)
	}
	one := owner.Send("GET", at, "")
	expect(t, owner.Send("GET", base+"/alert_integrations", ""), 200, "["+one.Body+"]")
	h.Golden("getProjectAlertIntegration/http",
		strings.NewReplacer(made.Key, strings.Repeat("0", 32), made.Identifier, strings.Repeat("0", 16)).Replace(one.Body))
	for body, want := range map[string]string{
		`{"name":"x"}`:                          `{"error":"type is missing"}`,
		`{"type":"http"}`:                       `{"error":"name is missing"}`,
		`{"type":"mail","name":"x"}`:            `{"error":"type does not have a valid value"}`,
		`{"type":"http","name":"  "}`:           `{"message":{"name":["can't be blank"]}}`,
		`{"type":"http","name":"x","sample":5}`: "",
	} {
		expect(t, owner.JSON("POST", base+"/alert_integrations", body), 400, want)
	}
	if n := len(read[[]integration](t, owner.Send("GET", base+"/alert_integrations", ""), 200)); n != 1 {
		t.Errorf("%d integrations, want 1", n)
	}
	unicode := read[integration](t, owner.JSON("POST", base+"/alert_integrations", `{"type":"metrics","name":"警报","active":false}`), 201)
	if !strings.Contains(unicode.URL, "/alerts/notify/http-endpoint/") || unicode.Active || unicode.Type != "metrics" {
		t.Errorf("%+v", unicode)
	}
	developer, stranger := h.ProjectMember(p, model.Developer), h.NewUser()
	expect(t, developer.Send("GET", base+"/alert_integrations", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, developer.JSON("POST", base+"/alert_integrations", `{"type":"http","name":"x"}`), 403,
		`{"message":"403 Forbidden"}`)
	expect(t, stranger.Send("GET", base+"/alert_integrations", ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, h.Anonymous().Send("GET", base+"/alert_integrations", ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestAlertIntegrationsAreChangedAndDeleted(t *testing.T) {
	t.Parallel()
	_, owner, _, base, made := projectWithAlertIntegration(t)
	at := fmt.Sprintf("%s/alert_integrations/%d", base, made.ID)
	expect(t, owner.JSON("POST", base+"/alert_integrations", `{"type":"metrics","name":"other"}`), 201, "")
	changed := read[integration](t, owner.JSON("PUT", at, `{"name":" New ","active":false}`), 200)
	if changed.Name != "New" || changed.Active || changed.Key != made.Key {
		t.Errorf("%+v", changed)
	}
	refusedEmpty(t, notify(t, made.URL, "Bearer "+made.Key, `{}`), 403)
	expect(t, owner.JSON("PUT", at, `{"active":true}`), 200, "")
	expect(t, notify(t, made.URL, "Bearer "+made.Key, `{}`), 200, "")
	fresh := read[integration](t, owner.Send("POST", at+"/reset_key", ""), 200)
	if fresh.Key == made.Key || fresh.Identifier != made.Identifier {
		t.Errorf("%+v", fresh)
	}
	refusedEmpty(t, notify(t, made.URL, "Bearer "+made.Key, `{}`), 401)
	expect(t, notify(t, made.URL, "Bearer "+fresh.Key, `{}`), 200, "")
	expect(t, owner.Send("DELETE", at, ""), 204, "")
	refusedEmpty(t, notify(t, made.URL, "Bearer "+fresh.Key, `{}`), 404) // the project is private
	for method, path := range map[string]string{"GET": at, "PUT": at, "DELETE": at, "POST": at + "/reset_key"} {
		expect(t, owner.JSON(method, path, `{}`), 404, `{"message":"404 Not found"}`)
	}
	if n := len(read[[]integration](t, owner.Send("GET", base+"/alert_integrations", ""), 200)); n != 1 {
		t.Errorf("%d integrations are left, want 1", n)
	}
}

func TestFieldsOfAnAlertAreMapped(t *testing.T) {
	t.Parallel()
	_, owner, _, base, i := projectWithAlertIntegration(t)
	at := fmt.Sprintf("%s/alert_integrations/%d", base, i.ID)
	sample := `{"event":{"name":"Disk","level":"low","tags":["a","b"],"n":5}}`
	for mapping, want := range map[string]string{
		`{"title":["event","nothing"]}`: `{"message":{"mapping":["title must be a path in the sample"]}}`,
		`{"title":["event"]}`:           `{"message":{"mapping":["title must not be the path of an object"]}}`,
		`{"title":["event","tags"]}`:    `{"message":{"mapping":["title must not be the path of an array"]}}`,
		`{"title":[]}`:                  "",
		`{"title":"event"}`:             `{"message":{"mapping":["title must not be the path of an object"]}}`,
	} {
		expect(t, owner.JSON("PUT", at, `{"sample":`+sample+`,"mapping":`+mapping+`}`), 400, want)
	}
	expect(t, owner.JSON("PUT", at, `{"mapping":{"title":["a"]}}`), 400, `{"message":{"mapping":["requires a sample"]}}`)
	expect(t, owner.JSON("PUT", at, `{"sample":{"a":"`+strings.Repeat("x", 70<<10)+`"}}`), 400,
		`{"message":{"sample":["is too long (maximum is 65536 bytes)"]}}`)
	set := read[integration](t, owner.JSON("PUT", at, `{"sample":`+sample+
		`,"mapping":{"title":["event","name"],"severity":["event","level"],"hosts":["event","tags"],"fingerprint":["event","n"]}}`), 200)
	if set.Sample["event"] == nil || len(set.Mapping) != 4 {
		t.Errorf("%+v", set)
	}
	for range 2 {
		expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"event":{"name":"Disk full","level":"medium","tags":["web"],"n":7}}`),
			200, `[{"iid":1,"title":"Disk full"}]`)
	}
	a := read[alertRow](t, owner.Send("GET", base+"/alerts/1", ""), 200)
	if a.Events != 2 || a.Severity != "medium" || len(a.Hosts) != 1 || a.Details["event"] == nil {
		t.Errorf("%+v", a)
	}
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"Plain","severity":"info"}`), 200, `[{"iid":2,"title":"Plain"}]`)
	cleared := read[integration](t, owner.JSON("PUT", at, `{"sample":null}`), 200)
	if cleared.Sample != nil || cleared.Mapping != nil {
		t.Errorf("%+v", cleared)
	}
}

func TestATestAlertIsSent(t *testing.T) {
	t.Parallel()
	h, owner, p, base, i := projectWithAlertIntegration(t)
	at := fmt.Sprintf("%s/alert_integrations/%d/test", base, i.ID)
	developer := h.ProjectMember(p, model.Developer)
	expect(t, developer.JSON("POST", at, `{"payload":{"title":"Is this on"}}`), 200, `{"alerts":[{"iid":1,"title":"Is this on"}]}`)
	expect(t, developer.JSON("POST", at, `{"payload":`+metrics(metric("m", "firing"))+`}`), 200, `{"alerts":[{"iid":2,"title":"m"}]}`)
	expect(t, developer.JSON("POST", at, `{"payload":{"title":{}}}`), 400,
		`{"message":"400 Bad request - the payload cannot be read as an alert"}`)
	expect(t, developer.JSON("POST", at, `{}`), 400, `{"error":"payload is missing"}`)
	expect(t, developer.JSON("POST", base+"/alert_integrations/99/test", `{"payload":{}}`), 404, `{"message":"404 Not found"}`)
	expect(t, h.ProjectMember(p, model.Reporter).JSON("POST", at, `{"payload":{}}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, owner.JSON("PUT", strings.TrimSuffix(at, "/test"), `{"active":false}`), 200, "")
	expect(t, developer.JSON("POST", at, `{"payload":{}}`), 400, `{"message":"400 Bad request - the integration is not active"}`)
}

func TestAlertsAreListedAndWorkedOn(t *testing.T) {
	t.Parallel()
	h, owner, p, base, i := projectWithAlertIntegration(t)
	for _, body := range []string{
		`{"title":"One","severity":"low","start_time":"2026-05-03","service":"Shop"}`,
		`{"title":"Two","fingerprint":"two","start_time":"2026-05-02"}`,
		`{"title":"Three","description":"50%_off","start_time":"2026-05-01","end_time":"2026-05-02"}`,
	} {
		expect(t, notify(t, i.URL, "Bearer "+i.Key, body), 200, "")
	}
	developer, reporter := h.ProjectMember(p, model.Developer), h.ProjectMember(p, model.Reporter)
	list := func(query string) string {
		t.Helper()
		var titles []string
		for _, a := range read[[]alertRow](t, developer.Send("GET", base+"/alerts"+query, ""), 200) {
			titles = append(titles, a.Title)
		}
		return strings.Join(titles, " ")
	}
	two := base + "/alerts/2"
	a := read[alertRow](t, developer.JSON("PUT", two, fmt.Sprintf(`{"status":"acknowledged","assignee_ids":[%d,%d,%d,999]}`,
		developer.User.ID, developer.User.ID, reporter.User.ID)), 200)
	if a.Status != "acknowledged" || len(a.Assignees) != 1 || a.Assignees[0].ID != developer.User.ID {
		t.Errorf("%+v", a)
	}
	for query, want := range map[string]string{
		"": "One Two Three", "?sort=asc": "Three Two One", "?order_by=iid": "Three Two One",
		"?status=acknowledged": "Two", "?status=resolved": "Three", "?severity=low": "One",
		"?search=%25_": "Three", "?search=sHOP": "One", "?search=nothing": "",
		fmt.Sprintf("?assignee_id=%d", developer.User.ID): "Two", "?per_page=1&page=2": "Two",
	} {
		if got := list(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"fingerprint":"two"}`), 200, "")
	if a := read[alertRow](t, developer.Send("GET", two, ""), 200); a.Status != "acknowledged" || a.Events != 2 {
		t.Errorf("%+v", a)
	}
	if a := read[alertRow](t, developer.JSON("PUT", two, `{"status":"resolved","assignee_ids":[]}`), 200); a.EndedAt == nil ||
		len(a.Assignees) != 0 {
		t.Errorf("%+v", a)
	}
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"Two","fingerprint":"two"}`), 200, `[{"iid":4,"title":"Two"}]`)
	expect(t, developer.JSON("PUT", two, `{"status":"triggered"}`), 409, `{"message":"An alert with the same fingerprint is already open"}`)
	expect(t, developer.JSON("PUT", base+"/alerts/4", `{"status":"resolved"}`), 200, "")
	if a := read[alertRow](t, developer.JSON("PUT", two, `{"status":"ignored"}`), 200); a.EndedAt != nil || a.Status != "ignored" {
		t.Errorf("%+v", a)
	}
	expect(t, developer.JSON("PUT", two, `{"status":"gone"}`), 400, `{"error":"status does not have a valid value"}`)
	expect(t, developer.Send("GET", base+"/alerts/99", ""), 404, `{"message":"404 Not found"}`)
	expect(t, developer.JSON("PUT", base+"/alerts/99", `{"status":"resolved"}`), 404, `{"message":"404 Not found"}`)
	expect(t, reporter.Send("GET", base+"/alerts", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, reporter.JSON("PUT", two, `{"status":"resolved"}`), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("GET", two, ""), 404, `{"message":"404 Project Not Found"}`)
	expect(t, owner.Send("GET", base+"/alerts?pagination=keyset", ""), 405, "")
}

func TestAListOfAlertsTakesFewStatements(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	many := make([]string, 60)
	for n := range many {
		many[n] = metric(fmt.Sprintf("many %d", n), "firing")
	}
	expect(t, notify(t, i.URL, "Bearer "+i.Key, metrics(many...)), 200, "")
	count := func(size int) int64 {
		before := h.Store.Statements()
		expect(t, owner.Send("GET", fmt.Sprintf("%s/alerts?per_page=%d", base, size), ""), 200, "")
		return h.Store.Statements() - before
	}
	count(1)
	if one, all := count(1), count(50); all > one+1 {
		t.Errorf("%d statements for one, %d for fifty", one, all)
	}
}

// waitForIncident waits until an alert has its incident.
func waitForIncident(t *testing.T, c *harness.Caller, alert string) {
	t.Helper()
	wait.Until(t, "the alert has an incident", func() bool {
		return read[alertRow](t, c.Send("GET", alert, ""), 200).IssueIID != nil
	})
}

func TestAlertsCreateIncidents(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	settings := base + "/alert_settings"
	expect(t, owner.Send("GET", settings, ""), 200, `{"create_incident":false,"close_incident":true}`)
	expect(t, owner.JSON("PUT", settings, `{"create_incident":true}`), 200, `{"create_incident":true,"close_incident":true}`)
	expect(t, owner.JSON("PUT", settings, `{"create_incident":"maybe"}`), 400, `{"error":"create_incident is invalid"}`)
	h.StartWorker()
	send := func(body string) { t.Helper(); expect(t, notify(t, i.URL, "Bearer "+i.Key, body), 200, "") }
	type issue struct {
		IID                       int64
		Title, State, Description string
		Type                      string `json:"issue_type"`
		Severity                  string
		Author                    struct{ Username string }
	}
	get := func(iid int64) issue {
		return read[issue](t, owner.Send("GET", fmt.Sprintf("%s/issues/%d", base, iid), ""), 200)
	}
	alarm := strings.Replace(metric("Disk", "firing"), `"team":"web"`, `"svc_incident_markdown":"**Call the team**"`, 1)
	send(metrics(alarm))
	waitForIncident(t, owner, base+"/alerts/1")
	made := get(1)
	if made.Title != "Disk" || made.State != "opened" || made.Type != "incident" || made.Severity != "HIGH" ||
		!strings.Contains(made.Description, "**Call the team**") || made.Author.Username != "alert-bot" {
		t.Errorf("%+v", made)
	}
	for range 9 {
		send(metrics(alarm))
	}
	notes := func(iid int64) string {
		return owner.Send("GET", fmt.Sprintf("%s/issues/%d/notes", base, iid), "").Body
	}
	wait.Until(t, "a note counts ten reports", func() bool {
		return strings.Contains(notes(1), "alert 1 was reported 10 times")
	})
	expect(t, owner.JSON("PUT", base+"/alerts/1", `{"status":"acknowledged"}`), 200, "")
	if got := notes(1); !strings.Contains(got, "alert 1 is acknowledged now") {
		t.Error(got)
	}
	send(metrics(strings.Replace(alarm, "firing", "resolved", 1)))
	wait.Until(t, "the incident is closed", func() bool { return get(1).State == "closed" })
	if got := notes(1); strings.Count(got, "alert 1 is resolved now") != 1 || !strings.Contains(got, "closed via alert 1") {
		t.Error(got)
	}
	expect(t, owner.JSON("PUT", settings, `{"close_incident":false}`), 200, `{"create_incident":true,"close_incident":false}`)
	send(metrics(alarm))
	waitForIncident(t, owner, base+"/alerts/2")
	send(metrics(strings.Replace(alarm, "firing", "resolved", 1)))
	wait.Until(t, "a note says that the alert is resolved", func() bool {
		return strings.Contains(notes(2), "alert 2 is resolved now")
	})
	if get(2).State != "opened" {
		t.Error("it was closed")
	}
	expect(t, owner.Send("DELETE", base+"/issues/2", ""), 204, "")
	if a := read[alertRow](t, owner.Send("GET", base+"/alerts/2", ""), 200); a.IssueIID != nil {
		t.Errorf("%+v", a)
	}
}

func TestADeveloperResolvesAnAlertAndItsIncident(t *testing.T) {
	t.Parallel()
	h, owner, _, base, i := projectWithAlertIntegration(t)
	expect(t, owner.JSON("PUT", base+"/alert_settings", `{"create_incident":true}`), 200, "")
	h.StartWorker()
	expect(t, notify(t, i.URL, "Bearer "+i.Key, `{"title":"a"}`), 200, "")
	waitForIncident(t, owner, base+"/alerts/1")
	expect(t, owner.JSON("PUT", base+"/alerts/1", `{"status":"resolved"}`), 200, "")
	closed := read[struct {
		State    string
		ClosedBy struct{ ID int64 } `json:"closed_by"`
	}](t, owner.Send("GET", base+"/issues/1", ""), 200)
	if closed.State != "closed" || closed.ClosedBy.ID != owner.User.ID {
		t.Errorf("%+v", closed)
	}
}
