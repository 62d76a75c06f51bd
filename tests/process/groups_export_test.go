package process

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/tests/wait"
)

const archiveLabels = 20_000

// groupArchive returns an archive with many labels.
func groupArchive(t *testing.T) []byte {
	t.Helper()
	var labels strings.Builder
	for i := range archiveLabels {
		fmt.Fprintf(&labels, `{"title":"label %05d","color":"#%06x","description":"What label %d is for"}`+"\n", i, i*7919%0xffffff, i)
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, file := range [][2]string{
		{"VERSION", "1\n"},
		{"tree/groups/_all.ndjson", "1\n"},
		{
			"tree/groups/1.json",
			`{"id":1,"name":"A","path":"a","visibility":"private","project_creation_level":"developer",` +
				`"subgroup_creation_level":"owner","shared_runners_setting":"enabled"}`,
		},
		{"tree/groups/1/labels.ndjson", labels.String()},
	} {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: file[0], Size: int64(len(file[1])), Mode: 0o644})
		if _, werr := io.WriteString(w, file[1]); err != nil || werr != nil {
			t.Fatal(err, werr)
		}
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// importArchive imports an archive into a new group.
func importArchive(ctx context.Context, t *testing.T, s *Server, path string, data []byte) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "group.tar.gz")
	if err == nil {
		_, err = part.Write(data)
	}
	if err := errors.Join(err, form.WriteField("name", path), form.WriteField("path", path), form.Close()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/api/v4/groups/import", &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || res.StatusCode != http.StatusAccepted {
		t.Fatal(res.StatusCode, string(text), err)
	}
}

// waitForAnswer repeats a request until good accepts the answer, and returns the body. what says when it does.
func (s *Server) waitForAnswer(path, what string, good func(status int, body string) bool) string {
	s.t.Helper()
	var last string
	wait.Until(s.t, what, func() bool {
		status, body, err := s.Do(s.t.Context(), "GET", path, "")
		last = body
		return err == nil && good(status, body)
	})
	return last
}

// checkLabels checks that a group has all labels once: the last page is full, and the one after it is empty.
func checkLabels(ctx context.Context, t *testing.T, s *Server, path string) {
	t.Helper()
	for page, want := range map[int]int{1: 100, archiveLabels / 100: 100, archiveLabels/100 + 1: 0} {
		status, body, err := s.Do(ctx, "GET", fmt.Sprintf("/api/v4/groups/%s/labels?per_page=100&page=%d", path, page), "")
		if n := strings.Count(body, `"name":"label `); err != nil || status != http.StatusOK || n != want {
			t.Errorf("page %d has %d labels, want %d: %d %v", page, n, want, status, err)
		}
	}
}

// The server is killed during an import, and again during an export. The next one completes each of them once, within a
// minute.
func TestImportAndExportAreFinishedAfterAKill(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	data := groupArchive(t)
	importArchive(ctx, t, s, "acme", data)
	state := s.waitForAnswer("/api/v4/groups/acme/import", "the import has begun", func(_ int, body string) bool {
		return !strings.Contains(body, `"import_status":"scheduled"`)
	})
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	if !strings.Contains(state, `"import_status":"started"`) {
		t.Fatalf("it was over before the server was killed: %s", state)
	}
	s = Start(t, p)
	_, labels, err := s.Do(ctx, "GET", "/api/v4/groups/acme/labels", "")
	if now, body, _ := s.Do(ctx, "GET", "/api/v4/groups/acme/import", ""); err != nil ||
		(strings.Contains(body, `"started"`) && labels != "[]\n" && labels != "[]") {
		t.Errorf("half an import is there: %d %.100s %v", now, labels, err)
	}
	ended := s.waitForAnswer("/api/v4/groups/acme/import", "the import has ended", func(_ int, body string) bool {
		return !strings.Contains(body, `"import_status":"started"`)
	})
	if !strings.Contains(ended, `"import_status":"finished"`) {
		t.Fatal(ended)
	}
	checkLabels(ctx, t, s, "acme")

	status, body, err := s.Do(ctx, "POST", "/api/v4/groups/acme/export", "")
	if err != nil || status != http.StatusAccepted {
		t.Fatal(status, body, err)
	}
	status, body, err = s.Do(ctx, "POST", "/api/v4/groups/acme/export_relations", "")
	if err != nil || status != http.StatusAccepted {
		t.Fatal(status, body, err)
	}
	// There is a draft only while the export is written. The pause of wait.Until is too long to see it.
	for ctx.Err() == nil {
		if drafts, err := os.ReadDir(filepath.Join(p.Data, "blobs", "drafts")); err == nil && len(drafts) > 0 {
			break
		}
		time.Sleep(time.Millisecond / 2)
	}
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	s = Start(t, p)
	file := s.waitForAnswer("/api/v4/groups/acme/export/download", "the export is finished", func(status int, _ string) bool {
		return status == http.StatusOK
	})
	importArchive(ctx, t, s, "again", []byte(file))
	s.waitForAnswer("/api/v4/groups/again/import", "the second import is finished", func(_ int, body string) bool {
		return strings.Contains(body, `"import_status":"finished"`)
	})
	checkLabels(ctx, t, s, "again")
	states := s.waitForAnswer("/api/v4/groups/acme/export_relations/status", "all relations are written", func(_ int, body string) bool {
		return strings.Count(body, `"status":1`) == 6
	})
	if !strings.Contains(states, fmt.Sprintf(`"total_objects_count":%d`, archiveLabels)) {
		t.Errorf("not all labels are exported: %s", states)
	}
}
