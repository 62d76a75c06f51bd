package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// one parses a payload that holds one alert.
func one(t *testing.T, payload string, o Options) Alert {
	t.Helper()
	o.Now = noon
	read, err := Read([]byte(payload), o)
	if err != nil || len(read) != 1 {
		t.Fatalf("%.200s: %d alerts, %v", payload, len(read), err)
	}
	return read[0]
}

func TestTheGenericFormat(t *testing.T) {
	end := noon.Add(time.Hour)
	got := one(
		t,
		`{"title":" Disk full ","description":"93 %","start_time":"2026-05-01T10:00:00+02:00",
			"end_time":"2026-05-01T13:00:00Z","service":"shop","monitoring_tool":"uptime",
		"hosts":["a","b"],"severity":"HIGH","fingerprint":"disk","svc_environment_name":"production","extra":{"deep":[1]}}`,
		Options{},
	)
	got.Payload = nil
	want := Alert{
		Format: Generic, Title: "Disk full", Description: "93 %", Severity: High, Service: "shop",
		MonitoringTool: "uptime", Hosts: []string{"a", "b"}, Environment: "production",
		Fingerprint: hash("disk"), StartedAt: time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC), EndedAt: &end,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	bare := one(t, `{}`, Options{})
	if bare.Title != "New: Alert" || bare.Severity != Critical || !bare.StartedAt.Equal(noon) || bare.EndedAt != nil ||
		bare.Fingerprint != "" || bare.Hosts != nil {
		t.Errorf("%+v", bare)
	}
	for text, want := range map[string]string{
		"unknown": Unknown, "Info": Info, "low": Low, "medium": Medium, "warning": Critical, "s1": Critical,
		"": Critical,
	} {
		if got := one(t, `{"severity":"`+text+`"}`, Options{}).Severity; got != want {
			t.Errorf("%q is %s", text, got)
		}
	}
	if got := one(t, `{"hosts":"web"}`, Options{}).Hosts; !reflect.DeepEqual(got, []string{"web"}) {
		t.Error(got)
	}
	long := one(
		t,
		`{"title":"`+strings.Repeat("ö", 300)+`","description":"`+strings.Repeat("x", 2000)+`","service":"`+strings.Repeat("s", 200)+`"}`,
		Options{},
	)
	if n := utf8.RuneCountInString(long.Title); n != 200 || len(long.Description) != 1000 || len(long.Service) != 100 ||
		!strings.HasSuffix(long.Title, "ö...") {
		t.Errorf("%d, %d, %d", n, len(long.Description), len(long.Service))
	}
}

func TestWhatIsNoAlertIsRefused(t *testing.T) {
	head := `"commonAnnotations":{},"commonLabels":{},"externalURL":"","groupKey":"","groupLabels":{},"receiver":"r",` +
		`"status":"firing","version":"4"`
	deep := func(levels int) string {
		return strings.Repeat(`{"a":`, levels-1) + `{}` + strings.Repeat(`}`, levels-1)
	}
	for _, payload := range []string{
		``, `17`, `[]`, `null`, `"text"`, `{"title":`, `{"title":"a"}x`, `{"title":5}`, `{"title":["a"]}`,
		`{"title":"a","title":"b"}`, `{"x":{"y":1,"y":2}}`, `{"description":{}}`,
		`{"severity":3}`, `{"start_time":1700000000}`, `{"start_time":"soon"}`, `{"end_time":true}`,
		`{"end_time":"99999-01-01"}`, `{"hosts":[1]}`, `{"hosts":{}}`, `{"fingerprint":5}`,
		`{"fingerprint":[{}]}`, `{"service":1}`, `{"monitoring_tool":[]}`, `{"svc_environment_name":{}}`,
		"{\"title\":\"a\\u0000b\"}", "{\"title\":\"\xff\"}", deep(101),
		`{"t":"` + strings.Repeat("x", MaxBody) + `"}`,
		`{"alerts":{},` + head + `}`, `{"alerts":[1],` + head + `}`, `{"alerts":[{}],` + head + `}`,
		`{"alerts":[{"startsAt":"2026-05-01T10:00:00Z"}],` + head + `}`,
		`{"alerts":[{"labels":{"alertname":"a"}}],` + head + `}`,
		`{"alerts":[{"labels":{"alertname":5},"startsAt":"2026-05-01T10:00:00Z"}],` + head + `}`,
		`{"alerts":[{"labels":{"alertname":"a"},"startsAt":"0001-01-01T00:00:00Z"}],` + head + `}`,
		`{"alerts":[{"labels":[],"startsAt":"2026-05-01T10:00:00Z"}],` + head + `}`,
	} {
		if read, err := Read([]byte(payload), Options{Now: noon}); !errors.Is(err, ErrMalformed) || read != nil {
			t.Errorf("%.120s: %v, %v", payload, read, err)
		}
	}
	one(t, deep(100), Options{})
	if TooDeep([]byte(deep(100))) || !TooDeep([]byte(deep(101))) || TooDeep([]byte(`{"a":"`+strings.Repeat("[", 500)+`\"["}`)) {
		t.Error("the depth is not seen")
	}
	if _, err := Read([]byte(`{"title":"a"}`), Options{MetricsOnly: true}); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	exact := `{"t":"` + strings.Repeat("x", MaxBody-8) + `"}`
	if len(exact) != MaxBody {
		t.Fatal(len(exact))
	}
	one(t, exact, Options{})
}

func TestFingerprints(t *testing.T) {
	o := Options{ByPayload: true}
	base := one(t, `{"title":"a","extra":{"n":1}}`, o).Fingerprint
	for payload, same := range map[string]bool{
		`{"extra":{"n":1},"title":"a"}`: true,
		`{"title":"a","extra":{"n":1},"start_time":"2026-05-01","end_time":"2026-05-02","hosts":"x"}`: true,
		`{"title":"a","extra":{"n":2}}`: false,
		`{"title":"a"}`:                 false,
	} {
		if got := one(t, payload, o).Fingerprint; (got == base) != same || len(got) != 64 {
			t.Errorf("%s: %s", payload, got)
		}
	}
	if one(t, `{"title":"a","fingerprint":["x","y"]}`, o).Fingerprint != one(t, `{"title":"b","fingerprint":["x","y"]}`, o).Fingerprint {
		t.Error("the fingerprint that was sent does not count")
	}
	if one(t, `{"fingerprint":["x","y"]}`, o).Fingerprint == one(t, `{"fingerprint":"xy"}`, o).Fingerprint {
		t.Error("parts run together")
	}
}

func TestMappedFields(t *testing.T) {
	o := Options{ByPayload: true, Mapping: Mapping{
		"title": {"alert", "name"}, "severity": {"alert", "level"}, "start_time": {"alert", "at"}, "hosts": {"nodes"},
		"fingerprint": {"ids", "1"}, "service": {"missing"},
	}}
	got := one(t, `{"alert":{"name":"Disk","level":"low","at":"2026-05-01T01:00:00Z"},"nodes":["n1"],"ids":["x",17],"service":"shop"}`, o)
	if got.Title != "Disk" || got.Severity != Low || got.StartedAt.Hour() != 1 || got.Hosts[0] != "n1" ||
		got.Fingerprint != hash("17") || got.Service != "shop" {
		t.Errorf("%+v", got)
	}
	a := one(t, `{"alert":{"name":"Disk","at":"2026-05-01T01:00:00Z"}}`, o).Fingerprint
	if b := one(t, `{"alert":{"name":"Disk","at":"2026-05-01T02:00:00Z"}}`, o).Fingerprint; a != b {
		t.Error("a time that is mapped tells alerts apart")
	}
}

// message returns a message in the metrics format.
func message(alerts ...string) string {
	return `{"receiver":"svc","status":"firing","alerts":[` + strings.Join(alerts, ",") +
		`],"groupLabels":{},"commonLabels":{},"commonAnnotations":{},"externalURL":"http://am","version":"4",` +
		`"groupKey":"{}","truncatedAlerts":0}`
}

func TestTheMetricsFormat(t *testing.T) {
	firing := `{"status":"firing","labels":{"alertname":"Disk","severity":"warning","svc_environment_name":"prod"},
		"annotations":{"title":"Disk fills","summary":"short","description":"long",
		"runbook":"http://wiki","svc_incident_markdown":"**Call**","svc_y_label":"bytes","team":"web"},
		"startsAt":"2026-05-01T10:00:00.123456789Z","endsAt":"0001-01-01T00:00:00Z",
		"generatorURL":"http://m/graph?g0.expr=up+%3D%3D+0&g0.tab=1","fingerprint":"0123456789abcdef"}`
	resolved := strings.NewReplacer(
		`"status":"firing"`, `"status":"resolved"`, `0001-01-01T00:00:00Z`, `2026-05-01T11:00:00Z`,
		"Disk fills", "Other text",
	).Replace(firing)
	read, err := Read([]byte(
		message(firing, resolved, `{"labels":{"alertname":"Bare"},"startsAt":"2026-05-01T10:00:00Z","endsAt":"2027-01-01T00:00:00Z"}`),
	), Options{Now: noon, MetricsOnly: true})
	if err != nil || len(read) != 3 {
		t.Fatal(read, err)
	}
	a := read[0]
	checkMetric(t, a)
	if b := read[1]; b.Fingerprint != a.Fingerprint || b.EndedAt == nil || b.EndedAt.Hour() != 11 {
		t.Errorf("%+v", b)
	}
	if c := read[2]; c.Title != "Bare" || c.Severity != Critical || c.EndedAt != nil || c.Fingerprint == a.Fingerprint {
		t.Errorf("%+v", c)
	}
}

// checkMetric checks the firing alert, and what is read from its payload when it is shown.
func checkMetric(t *testing.T, a Alert) {
	t.Helper()
	if a.Title != "Disk fills" || a.Description != "long" || a.Severity != Low || a.Environment != "prod" || a.EndedAt != nil ||
		a.StartedAt.Nanosecond() != 123456000 || a.Fingerprint == "" {
		t.Errorf("%+v", a)
	}
	d := ReadDetails(a.Format, a.Payload)
	if d.Runbook != "http://wiki" || d.Query != "up == 0" || d.YLabel != "bytes" || d.Markdown != "**Call**" ||
		!reflect.DeepEqual(d.Other, map[string]any{"team": "web", "summary": "short"}) {
		t.Errorf("%+v", d)
	}
}

func TestSeveritiesOfMetrics(t *testing.T) {
	for name, want := range synonyms {
		if got := metricSeverity(strings.ToUpper(name)); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
	if metricSeverity("unknown") != Critical || len(synonyms) != 26 {
		t.Error("severities")
	}
}

func TestAMessageIsReadUpToTheMaximumNumberOfAlerts(t *testing.T) {
	many := make([]string, 120)
	for i := range many {
		many[i] = fmt.Sprintf(`{"labels":{"alertname":"a%d"},"startsAt":"2026-05-01T10:00:00Z"}`, i)
	}
	if read, err := Read([]byte(message(many...)), Options{Now: noon}); err != nil || len(read) != 100 {
		t.Error(len(read), err)
	}
}

func TestWhatIsNotTheMetricsFormatIsGeneric(t *testing.T) {
	// Without one of the members, or with another version, it is the generic format.
	if got := one(t, strings.Replace(message(), `"version":"4"`, `"version":"5"`, 1), Options{}); got.Format != Generic {
		t.Error(got.Format)
	}
	if d := ReadDetails(Generic, []byte(`{"title":"a","x":{"y":1}}`)); !reflect.DeepEqual(
		d.Other, map[string]any{"x": map[string]any{"y": 1.0}},
	) {
		t.Errorf("%+v", d)
	}
}

func FuzzAlert(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"title":"a","hosts":["x"],"fingerprint":["a",1],"end_time":"2026-05-01"}`,
		message(`{"labels":{"alertname":"a"},"startsAt":"2026-05-01T10:00:00Z"}`), `[`, `{"a":{"b":[1,2]}}`,
	} {
		f.Add([]byte(seed))
	}
	o := Options{Now: noon, ByPayload: true, Mapping: Mapping{"title": {"a", "b"}, "hosts": {"a", "0"}, "start_time": {"a", "t"}}}
	f.Fuzz(func(t *testing.T, body []byte) {
		read, err := Read(body, o)
		if err != nil && read != nil {
			t.Fatal("alerts and an error")
		}
		for _, a := range read {
			if utf8.RuneCountInString(a.Title) > maxTitle || a.Title == "" || !utf8.ValidString(a.Title) ||
				len(a.Hosts) > maxHosts || len(a.Fingerprint) != 64 || !json.Valid(a.Payload) || a.StartedAt.IsZero() {
				t.Fatalf("%+v", a)
			}
			ReadDetails(a.Format, a.Payload)
		}
		if err == nil && TooDeep(body) {
			t.Fatal("what is too deep was read")
		}
	})
}
