package harness

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var timestamp = regexp.MustCompile(`"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z"`)

// Golden compares a response body with the file tests/golden/<name>.json; make golden writes the file. Parts that
// differ in each run are replaced first.
func (h *H) Golden(name, body string) {
	h.T.Helper()
	body = strings.ReplaceAll(body, h.URL, "http://svc.test")
	body = timestamp.ReplaceAllString(body, `"2026-01-02T03:04:05.678Z"`)
	var buf bytes.Buffer
	if err := json.Indent(&buf, []byte(body), "", "  "); err != nil {
		h.T.Fatalf("golden %s: %v\n%s", name, err, body)
	}
	buf.WriteByte('\n')
	compare(h.T, filepath.Join("..", "golden", name+".json"), buf.String())
}

func compare(t testing.TB, path, got string) {
	t.Helper()
	if os.Getenv("SVC_GOLDEN") == "write" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run make golden and read what it writes", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// Logs keeps the log of the service, so that tests can search it, for example for secrets.
type Logs struct {
	mu   sync.Mutex
	text strings.Builder
}

// Write adds a line.
func (l *Logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// String returns the whole log.
func (l *Logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
