package process

import (
	"context"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"svc/tests/wait"
)

// cutFile is an upload of which only a part was sent.
type cutFile struct {
	writer *io.PipeWriter
	ended  chan error
}

// cut ends the upload in its middle.
func (c cutFile) cut(t *testing.T) {
	t.Helper()
	c.writer.CloseWithError(io.ErrUnexpectedEOF)
	if err := <-c.ended; err == nil {
		t.Error("the upload succeeded")
	}
}

// beginFile sends half of a file, and returns when a part of it is on disk.
func beginFile(t *testing.T, s *Server, p Place, method, path, kind, head string) cutFile {
	t.Helper()
	reader, writer := io.Pipe()
	c := cutFile{writer: writer, ended: make(chan error, 1)}
	req, err := http.NewRequestWithContext(context.Background(), method, s.URL+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("PRIVATE-TOKEN", Token)
	req.Header.Set("Content-Type", kind)
	go func() {
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			res.Body.Close()
		}
		c.ended <- err
	}()
	if _, err := io.Copy(writer, io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, 16<<20))); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a part of the file is on disk", func() bool {
		_, drafts := storedFiles(t, p, "uploads")
		return drafts == 1
	})
	return c
}

const (
	uploadsPath = "/api/v4/projects/1/uploads"
	formKind    = "multipart/form-data; boundary=b"
	formHead    = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.bin\"\r\n\r\n"
)

func TestFilesThatAreCutOffLeaveNothing(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	for _, c := range [][4]string{
		{"POST", uploadsPath, formKind, formHead},
		{"PUT", packagePath, "application/octet-stream", ""},
		{"POST", "/api/v4/projects/1/packages/pypi", formKind, strings.Replace(formHead, `name="file"`, `name="content"`, 1)},
		{"PUT", "/api/v4/projects/1/packages/maven/com/acme/demo/1.0/demo-1.0.jar", "application/java-archive", ""},
	} {
		beginFile(t, s, p, c[0], c[1], c[2], c[3]).cut(t)
		wait.Until(t, "nothing is left of "+c[1], func() bool {
			uploads, drafts := storedFiles(t, p, "uploads")
			packages, _ := storedFiles(t, p, "packages")
			return uploads+packages+drafts == 0
		})
	}
	for _, path := range []string{uploadsPath, "/api/v4/projects/1/packages?include_versionless=true"} {
		if status, body, err := s.Do(t.Context(), "GET", path, ""); status != 200 || strings.TrimSpace(body) != "[]" {
			t.Error(path, status, body, err)
		}
	}
}

func TestAKilledServerKeepsNoHalfOfAnUpload(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	begun := beginFile(t, s, p, "POST", uploadsPath, formKind, formHead)
	s.Signal(syscall.SIGKILL)
	begun.cut(t)
	_ = s.End()
	s = Start(t, p)
	if status, body, err := s.Do(t.Context(), "GET", uploadsPath, ""); status != 200 || strings.TrimSpace(body) != "[]" {
		t.Error(status, body, err)
	}
	if whole, _ := storedFiles(t, p, "uploads"); whole != 0 {
		t.Errorf("%d files are stored", whole)
	}
}

func TestUploadsAreStreamed(t *testing.T) {
	t.Parallel()
	s := Start(t, NewPlace(t), "SVC_MAX_ATTACHMENT_SIZE=300")
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	const size = 256 << 20
	grown := s.peakGrowth(func() {
		body := io.MultiReader(strings.NewReader(formHead), io.LimitReader(zeros{}, size), strings.NewReader("\r\n--b--\r\n"))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+uploadsPath, body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", Token)
		req.Header.Set("Content-Type", formKind)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if text, err := io.ReadAll(res.Body); res.StatusCode != 201 || err != nil {
			t.Errorf("%d %s %v", res.StatusCode, text, err)
		}
	})
	if grown > maxPackageMemory {
		t.Errorf("an upload of %d MB takes %d MB", size>>20, grown>>20)
	}
	want := `"uploads_size":268435456`
	if status, text, err := s.Do(t.Context(), "GET", "/api/v4/projects/1?statistics=true", ""); !strings.Contains(text, want) {
		t.Error(status, text, err)
	}
}
