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
	"strings"
	"syscall"
	"testing"
	"time"
)

const archiveIssues = 20_000

// projectArchive returns an archive with many issues and notes.
func projectArchive(t *testing.T) []byte {
	t.Helper()
	const at = `"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}` + "\n"
	var issues, notes strings.Builder
	for i := range archiveIssues {
		fmt.Fprintf(&issues, `{"iid":%d,"author_id":1,"title":"Issue %d","state":"opened","issue_type":"issue",`+
			`"severity":"UNKNOWN",%s`, i+1, i, at)
		fmt.Fprintf(&notes, `{"noteable_type":"Issue","noteable_iid":%d,"discussion_id":"d%d","author_id":1,"note":"Note",%s`, i+1, i, at)
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, file := range [][2]string{
		{"VERSION", "1\n"},
		{"tree/project.json", fmt.Sprintf(`{"visibility":"private","last_issue_iid":%d}`, archiveIssues)},
		{"tree/project/issues.ndjson", issues.String()},
		{"tree/project/notes.ndjson", notes.String()},
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

// importProjectArchive imports an archive into a new project of the administrator.
func importProjectArchive(ctx context.Context, t *testing.T, s *Server, path string, data []byte) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	err := form.WriteField("path", path)
	if err == nil {
		var part io.Writer
		if part, err = form.CreateFormFile("file", "project.tar.gz"); err == nil {
			_, err = part.Write(data)
		}
	}
	if err := errors.Join(err, form.Close()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, "POST", s.URL+"/api/v4/projects/import", &body)
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
	if err != nil || res.StatusCode != http.StatusCreated {
		t.Fatal(res.StatusCode, string(text), err)
	}
}

// The server is killed during an import of a project. The next one imports the rest, and nothing twice.
func TestAProjectImportIsFinishedAfterAKill(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	defer cancel()
	importProjectArchive(ctx, t, s, "web", projectArchive(t))
	s.waitForAnswer("/api/v4/projects/root%2Fweb/issues", "some issues are imported", func(status int, body string) bool {
		return status == http.StatusOK && strings.Contains(body, `"iid"`)
	})
	s.Signal(syscall.SIGKILL)
	s.End() //nolint:errcheck // killed
	s = Start(t, p)
	ended := s.waitForAnswer("/api/v4/projects/root%2Fweb/import", "the import has ended", func(_ int, body string) bool {
		return strings.Contains(body, `"import_status":"finished"`) || strings.Contains(body, `"import_status":"failed"`)
	})
	if !strings.Contains(ended, `"import_status":"finished"`) {
		t.Fatal(ended)
	}
	status, body, err := s.Do(ctx, "GET", "/api/v4/projects/root%2Fweb", "")
	if err != nil || status != http.StatusOK || !strings.Contains(body, fmt.Sprintf(`"open_issues_count":%d`, archiveIssues)) {
		t.Errorf("%d %s %v", status, body, err)
	}
	status, body, err = s.Do(ctx, "GET", fmt.Sprintf("/api/v4/projects/root%%2Fweb/issues/%d/notes", archiveIssues), "")
	if n := strings.Count(body, `"body":`); err != nil || status != http.StatusOK || n != 1 {
		t.Errorf("the last issue has %d notes: %d %v", n, status, err)
	}
}
