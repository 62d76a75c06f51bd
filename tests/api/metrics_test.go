package api

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"svc/tests/harness"

	"go.yaml.in/yaml/v4"
)

// The page about metrics has a row for each metric of the service, with its labels and its help text, and no other rows.
func TestThePageOfMetricsIsComplete(t *testing.T) {
	t.Parallel()
	page := readDocument(t, "metrics.md")
	known := map[string]bool{}
	for _, m := range harness.New(t).Server.Metrics() {
		if !strings.HasPrefix(m.Name, "svc_") {
			continue
		}
		known[m.Name] = true
		row := "| `" + m.Name + "` | " + strings.Join(m.Labels, ", ") + " | " + m.Help + " |\n"
		if !strings.Contains(page, row) {
			t.Errorf("docs/metrics.md needs this row:\n%s", row)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)`").FindAllStringSubmatch(page, -1) {
		if !known[m[1]] {
			t.Errorf("docs/metrics.md has %s, which is not a metric", m[1])
		}
	}
	if len(known) < 20 {
		t.Errorf("only %d metrics are known", len(known))
	}
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// metricName finds the names of metrics in an expression.
var metricName = regexp.MustCompile(`\b(?:svc|go|process)_\w+\b`)

// exists reports whether an expression may use a name: histograms have three parts.
func exists(known map[string]bool, name string) bool {
	if known[name] {
		return true
	}
	for _, part := range []string{"_bucket", "_sum", "_count"} {
		if base, found := strings.CutSuffix(name, part); found && known[base] {
			return true
		}
	}
	return false
}

func knownMetrics(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	for _, m := range harness.New(t).Server.Metrics() {
		known[m.Name] = true
	}
	return known
}

func TestTheAlertRulesUseMetricsThatExist(t *testing.T) {
	t.Parallel()
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(readDocument(t, "alerts.yml")), &file); err != nil {
		t.Fatal(err)
	}
	known, rules := knownMetrics(t), 0
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			rules++
			names := metricName.FindAllString(rule.Expr, -1)
			if len(names) == 0 && !strings.HasPrefix(rule.Expr, "up{") {
				t.Errorf("%s uses no metric", rule.Alert)
			}
			for _, name := range names {
				if !exists(known, name) {
					t.Errorf("%s uses %s, which is not a metric", rule.Alert, name)
				}
			}
			if rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" || rule.Labels["severity"] == "" {
				t.Errorf("%s lacks a summary, a description or a severity", rule.Alert)
			}
		}
	}
	if rules < 10 {
		t.Errorf("only %d rules were read", rules)
	}
}

func TestTheDashboardUsesMetricsThatExist(t *testing.T) {
	t.Parallel()
	var board struct {
		Panels []struct {
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
	}
	text := readDocument(t, "grafana/svc.json")
	if err := json.Unmarshal([]byte(text), &board); err != nil {
		t.Fatal(err)
	}
	known, used := knownMetrics(t), map[string]bool{}
	for _, panel := range board.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			t.Errorf("%s shows nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			for _, name := range metricName.FindAllString(target.Expr, -1) {
				used[name] = true
				if !exists(known, name) {
					t.Errorf("%s uses %s, which is not a metric", panel.Title, name)
				}
			}
		}
	}
	if len(used) < 20 {
		t.Errorf("only %d metrics are used", len(used))
	}
}

// What a request costs is counted for its operation.
func TestTheCostOfRequestsIsCountedByOperation(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	expect(t, h.NewUser().Send("GET", "/user", ""), 200, "")
	page := h.Anonymous().Send("GET", "/-/metrics", "").Body
	for _, want := range []string{
		`svc_http_request_statements_total{operation="getCurrentUser"} `,
		`svc_http_request_statement_seconds_total{operation="getCurrentUser"} `,
		"svc_db_statement_duration_seconds_count ", `svc_db_wait_seconds_count{for="transaction"} `,
		`svc_storage_free_bytes{storage="data"} `,
		`svc_storage_free_bytes{storage="repositories:default"} `, `svc_cache_entries{cache="git_commits"} `, "svc_http_requests_running 1",
		`svc_webhook_deliveries_total{outcome="failed"} 0`, `svc_mails_total{outcome="succeeded"} 0`, "svc_git_processes_running 0",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if strings.Contains(page, `svc_http_request_statements_total{operation="getCurrentUser"} 0`) {
		t.Error("no statement was counted")
	}
}
