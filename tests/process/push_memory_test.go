package process

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1" //nolint:gosec // git's packs end so
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// memory returns a field of /proc/<pid>/status of the server, in bytes.
func (s *Server) memory(field string) int64 {
	s.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), field+":")
	number, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n << 10
}

// peakGrowth returns the most by which the memory of the server grows while do runs.
func (s *Server) peakGrowth(do func()) int64 {
	s.t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	before := s.memory("VmRSS")
	do()
	return s.memory("VmHWM") - before
}

// maxPushMemory is the limit for the memory that a push needs.
const maxPushMemory = 64 << 20

func TestTheCommandsOfAPushTakeLittleMemory(t *testing.T) {
	t.Parallel()
	s := Start(t, NewPlace(t))
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	url := s.remote()
	p := newPusher(t, "main")
	if err := p.git("commit", "-q", "--allow-empty", "-m", "one"); err != nil {
		t.Fatal(err)
	}
	if err := p.git("push", "-q", url, "main"); err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(filepath.Join(p.folder, ".git", "refs", "heads", "main"))
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(string(head))
	var commands strings.Builder
	for i := range 10000 {
		line := fmt.Sprintf("%040d %s refs/heads/b%05d\x00report-status", 0, id, i)
		fmt.Fprintf(&commands, "%04x%s", len(line)+4, line)
	}
	pack := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00") // without objects
	sum := sha1.Sum(pack)                                  //nolint:gosec // git's packs end so
	body := append(append([]byte(commands.String()+"0000"), pack...), sum[:]...)
	grown := s.peakGrowth(func() {
		if status := s.post(t, "/root/p.git/git-receive-pack", body, ""); status != 200 {
			t.Errorf("a push of 10,000 commands: %d", status)
		}
	})
	if status, refs, err := s.Do(t.Context(), "GET", "/api/v4/projects/1/repository/branches/b09999", ""); status != 200 {
		t.Error(status, refs, err)
	}
	if grown > maxPushMemory {
		t.Errorf("a push of 10,000 commands takes %d MB", grown>>20)
	}
	for _, name := range []string{strings.Repeat("x", 1000), strings.Repeat("x", 65000)} {
		body := gzipRepeated(t, "0000000000000000000000000000000000000000 "+id+" refs/heads/"+name)
		grown := s.peakGrowth(func() {
			if status := s.post(t, "/root/p.git/git-receive-pack", body, "gzip"); status != 400 {
				t.Errorf("a head of %d bytes: %d", len(body), status)
			}
		})
		if grown > maxPushMemory {
			t.Errorf("a packed head of %d bytes takes %d MB", len(body), grown>>20)
		}
	}
}

// gzipRepeated returns about a megabyte of gzip that repeats one line.
func gzipRepeated(t *testing.T, line string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	text := strings.Repeat(fmt.Sprintf("%04x%s", len(line)+4, line), 64)
	for range 200 << 20 / len(text) {
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// post sends a push and returns the status.
func (s *Server) post(t *testing.T, path string, body []byte, encoding string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("oauth2", Token)
	req.Header.Set("Content-Type", "application/x-git-receive-pack-request")
	if encoding != "" {
		req.Header.Set("Content-Encoding", encoding)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	return res.StatusCode
}
