// Package alertmanager tests that an unmodified Prometheus Alertmanager can report alerts to the server.
package alertmanager

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/tests/process"
	"svc/tests/program"
	"svc/tests/wait"
)

// manager is the program, in a version that builds within a minute.
var manager = program.Program{
	What: "alert manager", Variable: "SVC_TEST_ALERTMANAGER", Name: "alertmanager",
	Installed: []string{"prometheus-alertmanager", "alertmanager"},
	Module:    "github.com/prometheus/alertmanager", Version: "v0.25.0", Package: "./cmd/alertmanager",
}

// output collects the output of a program.
type output struct {
	mu sync.Mutex
	bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.Buffer.Write(p)
}

// start runs the alert manager with a configuration until the test ends, and returns its address.
func start(t *testing.T, config string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	folder := t.TempDir()
	file := filepath.Join(folder, "alertmanager.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	said := &output{}
	cmd := exec.Command(
		manager.Path(t), "--config.file="+file, "--storage.path="+filepath.Join(folder, "data"),
		"--web.listen-address="+addr, "--cluster.listen-address=",
	)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		cmd.Wait()                          //nolint:errcheck // it was told to end
		if t.Failed() {
			t.Logf("the alert manager said:\n%s", said.String())
		}
	})
	wait.Until(t, "the alert manager is ready", func() bool {
		res, err := http.Get("http://" + addr + "/-/ready")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return addr
}

// ask sends a request as the administrator. The request must succeed.
func ask(t *testing.T, s *process.Server, method, path, body string, into any) {
	t.Helper()
	status, answer, err := s.Do(t.Context(), method, "/api/v4"+path, body)
	if err != nil || status < 200 || status > 299 {
		t.Fatal(method, path, status, answer, err)
	}
	if err := json.Unmarshal([]byte(answer), into); err != nil {
		t.Fatal(method, path, answer, err)
	}
}

// fire sends the alert manager an alert that began a minute ago and ends at the given time.
func fire(t *testing.T, addr, name string, ends time.Time) {
	t.Helper()
	now := time.Now().UTC()
	body := fmt.Sprintf(`[{"labels":{"alertname":%q,"severity":"warning","instance":"web-1"},`+
		`"annotations":{"summary":"Disk fills","description":"93 %%"},"startsAt":%q,"endsAt":%q,`+
		`"generatorURL":"http://metrics.example.com/graph?g0.expr=disk"}]`, name,
		now.Add(-time.Minute).Format(time.RFC3339), ends.UTC().Format(time.RFC3339Nano))
	res, err := http.Post("http://"+addr+"/api/v2/alerts", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
}

func TestAnUnmodifiedAlertmanagerReportsAlerts(t *testing.T) {
	t.Parallel()
	manager.Path(t)
	s := process.Start(t, process.NewPlace(t))
	var project struct{ ID int64 }
	ask(t, s, "POST", "/projects", `{"name":"roof"}`, &project)
	base := fmt.Sprintf("/projects/%d", project.ID)
	var to struct{ URL, Key string }
	ask(t, s, "POST", base+"/alert_integrations", `{"type":"metrics","name":"Alerts"}`, &to)
	_, path, _ := strings.Cut(to.URL, "/root/")
	for way, config := range map[string]string{
		"bearer": "authorization: {credentials: '" + to.Key + "'}",
		"basic":  "basic_auth: {username: '', password: '" + to.Key + "'}",
	} {
		addr := start(t, `
route: {receiver: svc, group_by: [alertname], group_wait: 100ms, group_interval: 1s, repeat_interval: 1h}
receivers:
  - name: svc
    webhook_configs:
      - {url: '`+s.URL+"/root/"+path+`', send_resolved: true, http_config: {`+config+`}}
`)
		fire(t, addr, "Disk"+way, time.Now().Add(time.Hour))
		var found struct {
			Title, Severity, Status string
			Description             string
			Events                  int64
			EndedAt                 *string `json:"ended_at"`
			MetricQuery             string  `json:"metric_query"`
			Payload                 struct{ Labels map[string]string }
		}
		iid := 0
		wait.Until(t, "the alert is triggered", func() bool {
			var rows []struct{ IID int }
			ask(t, s, "GET", base+"/alerts?status=triggered", "", &rows)
			if len(rows) == 1 {
				iid = rows[0].IID
			}
			return iid != 0
		})
		ask(t, s, "GET", fmt.Sprintf("%s/alerts/%d", base, iid), "", &found)
		if found.Title != "Disk fills" || found.Severity != "low" || found.Description != "93 %" ||
			found.MetricQuery != "disk" || found.Payload.Labels["alertname"] != "Disk"+way || found.EndedAt != nil {
			t.Errorf("%+v", found)
		}
		fire(t, addr, "Disk"+way, time.Now().Add(-time.Second))
		wait.Until(t, "the alert is resolved", func() bool {
			ask(t, s, "GET", fmt.Sprintf("%s/alerts/%d", base, iid), "", &found)
			return found.Status == "resolved"
		})
		if found.EndedAt == nil {
			t.Errorf("%+v", found)
		}
	}
	var rows []struct{ IID int }
	if ask(t, s, "GET", base+"/alerts", "", &rows); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
}
