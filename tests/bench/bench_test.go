package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The client must read answers completely, with a Content-Length or in chunks. Otherwise it reads garbage as the next
// answer on its connection.
func TestClientReadsAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/chunks" {
			w.Write([]byte(strings.Repeat("a", 5000)))
			w.(http.Flusher).Flush()
		}
		w.Write([]byte("end"))
	}))
	defer server.Close()
	c, err := dial(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for path, want := range map[string]int{"/length": 3, "/chunks": 5003, "/length?again": 3} {
		status, err := c.do(rawRequest(http.MethodGet, path, ""))
		if err != nil || status != http.StatusOK {
			t.Fatalf("%s: status %d, %v", path, status, err)
		}
		if len(c.body) != want || !strings.HasSuffix(string(c.body), "end") || c.contentType != "application/json" {
			t.Errorf("%s: %d bytes of %s, want %d", path, len(c.body), c.contentType, want)
		}
	}
}

func TestMeasurementsAreCombined(t *testing.T) {
	var m measured
	for i := range 100 {
		m.add(measured{
			requests: 1, elapsed: time.Millisecond, cpu: time.Duration(100 - i),
			samples: []time.Duration{time.Duration(100 - i)},
		})
	}
	if m.cpu != 1 || m.requests != 100 || m.perSecond() != 1000 {
		t.Errorf("CPU %d, %d requests, %f per second", m.cpu, m.requests, m.perSecond())
	}
	if p50, p99 := m.percentile(50), m.percentile(99); p50 != 51 || p99 != 100 {
		t.Errorf("p50 %d, p99 %d", p50, p99)
	}
}

func TestRatiosCompareMeasurementsThatFollowEachOther(t *testing.T) {
	var floor, svc measured
	for _, speed := range []time.Duration{1, 2, 4, 8} { // the machine becomes slower
		floor.add(measured{requests: 1, cpu: 100 * speed})
		svc.add(measured{requests: 1, cpu: 150*speed + speed})
	}
	if got := svc.over(&floor); got.low != 1.51 || got.median != 1.51 || got.high != 1.51 {
		t.Errorf("the ratio is %v", got)
	}
	svc.cpus[0], svc.cpus[3] = 100, 1600
	if got := svc.over(&floor); got.low != 1.51 || got.median != 1.51 || got.high != 1.51 {
		t.Errorf("outliers change the ratio to %v", got)
	}
}

func TestNumberedRewritesParametersForPostgreSQL(t *testing.T) {
	if got := numbered("SET a = ?, b = ? WHERE c = ?"); got != "SET a = $1, b = $2 WHERE c = $3" {
		t.Error(got)
	}
	if got := numbered("SELECT +a.b, c, +d"); got != "SELECT a.b, c, d" {
		t.Error(got)
	}
}

func TestFloorReadsTimesOfSvc(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-01-02 15:04:05.123456+00:00": time.Date(2026, 1, 2, 15, 4, 5, 123_456_000, time.UTC),
		"2026-01-02 15:04:05.5+00:00":      time.Date(2026, 1, 2, 15, 4, 5, 500_000_000, time.UTC),
		"2026-01-02 15:04:05+00:00":        time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		"2026-01-02 15:04:05":              time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		"2026-01-02":                       time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC),
	} {
		if got, err := parseUTC(text); err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "2026-01-02 15:04", "2026-01-02 15:04:05+01:00", "2026-01-02T15.04:05"} {
		if got, err := parseUTC(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestReportJudgesPagesSearchesAndGrowth(t *testing.T) {
	at := func(svc, floor time.Duration) *line {
		l := &line{label: "a line"}
		l.found.svc.add(measured{requests: 1, cpu: svc})
		l.found.floor.add(measured{requests: 1, cpu: floor})
		return l
	}
	r := &report{}
	r.pages(sqlite, "users", []*line{at(200, 100), at(150, 100)})
	r.pages(sqlite, "users", []*line{at(201, 100), at(150, 100)})
	r.atMost(sqlite, "search", searchLimit, []*line{at(2*time.Millisecond, 1), at(time.Millisecond, 1)})
	r.atMost(sqlite, "search", searchLimit, []*line{at(time.Millisecond, 1), at(2*time.Millisecond+1, 1)})
	r.compared(sqlite, "pages", "few", overOnce(130, 100), maxGrowth, "")
	r.compared(sqlite, "pages", "few", overOnce(131, 100), maxGrowth, "")
	for i, want := range []bool{true, false, true, false, true, false} {
		if got := r.verdicts[i]; got.holds != want {
			t.Errorf("%d: %v", i, got)
		}
	}
}

func TestRatiosAreComparedWithTheRecordedOnes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratios.json")
	r := &report{out: io.Discard}
	r.note(sqlite, "a line", spread{1.9, 2, 2.1})
	r.note(sqlite, "another", spread{1, 1, 1})
	if err := (options{check: file}).keepRatios(r); err == nil {
		t.Error("nothing was recorded, and the check passed")
	}
	if err := (options{record: file}).keepRatios(r); err != nil {
		t.Fatal(err)
	}
	r.note(sqlite, "a line", spread{2.29, 2.6, 3})
	r.note(sqlite, "a new line", spread{9, 9, 9})
	if err := (options{check: file}).keepRatios(r); err != nil {
		t.Error(err)
	}
	r.note(sqlite, "a line", spread{2.31, 2.6, 3})
	if err := (options{check: file}).keepRatios(r); err == nil || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("a ratio 16 %% above the recorded one: %v", err)
	}
	delete(r.found, "SQLite: a line")
	if err := (options{record: file}).keepRatios(r); err != nil {
		t.Fatal(err)
	}
	kept, err := readRatios(file)
	want := map[string]float64{"SQLite: a line": 2, "SQLite: another": 1, "SQLite: a new line": 9}
	if err != nil || !maps.Equal(kept, want) {
		t.Errorf("recorded: %v, %v", kept, err)
	}
}
