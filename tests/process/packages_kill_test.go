package process

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"svc/tests/wait"
)

// packagePath is where the test uploads.
const packagePath = "/api/v4/projects/1/packages/generic/tools/1.0/large.bin"

// uploadPackage uploads a file of a package.
func (s *Server) uploadPackage(ctx context.Context, path string, size int64, from io.Reader) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.URL+path, from)
	if err != nil {
		return 0, err
	}
	req.ContentLength = size
	req.Header.Set("PRIVATE-TOKEN", Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// storedFiles returns how many files of a kind, such as packages, the store of files has, and how many files of any kind
// that are not complete.
func storedFiles(t *testing.T, p Place, kind string) (whole, drafts int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(p.Data, "blobs"), func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir():
		case strings.Contains(path, "/"+kind+"/"):
			whole++
		case strings.Contains(path, "/drafts/"):
			drafts++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return whole, drafts
}

func TestAKilledServerPublishesNoHalfOfAPackage(t *testing.T) {
	t.Parallel()
	p := NewPlace(t)
	s := Start(t, p)
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	const size = 64 << 20
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := s.uploadPackage(context.Background(), packagePath, size, reader)
		ended <- err
	}()
	if _, err := io.CopyN(writer, zeros{}, size/2); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "a part of the file is on disk", func() bool {
		_, drafts := storedFiles(t, p, "packages")
		return drafts == 1
	})
	s.Signal(syscall.SIGKILL)
	writer.CloseWithError(io.ErrUnexpectedEOF)
	if err := <-ended; err == nil {
		t.Error("the upload succeeded")
	}
	_ = s.End()
	s = Start(t, p)
	status, body, err := s.Do(t.Context(), "GET", "/api/v4/projects/1/packages?include_versionless=true", "")
	if status != 200 || strings.TrimSpace(body) != "[]" {
		t.Error(status, body, err)
	}
	if status, body, err := s.Do(t.Context(), "GET", packagePath, ""); status != 404 {
		t.Error(status, body, err)
	}
	if whole, _ := storedFiles(t, p, "packages"); whole != 0 {
		t.Errorf("%d files are stored", whole)
	}
	if status, err := s.uploadPackage(t.Context(), packagePath, size, io.LimitReader(zeros{}, size)); status != 201 {
		t.Error(status, err)
	}
}

// maxPackageMemory is the limit for the memory that an upload or a download needs.
const maxPackageMemory = 24 << 20

func TestPackagesAreStreamed(t *testing.T) {
	t.Parallel()
	s := Start(t, NewPlace(t))
	if status, body, err := s.Do(t.Context(), "POST", "/api/v4/projects", `{"name":"p"}`); status != 201 {
		t.Fatal(status, body, err)
	}
	const size = 256 << 20
	grown := s.peakGrowth(func() {
		if status, err := s.uploadPackage(t.Context(), packagePath, size, io.LimitReader(zeros{}, size)); status != 201 {
			t.Error(status, err)
		}
	})
	if grown > maxPackageMemory {
		t.Errorf("an upload of %d MB takes %d MB", size>>20, grown>>20)
	}
	grown = s.peakGrowth(func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+packagePath, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("PRIVATE-TOKEN", Token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if n, err := io.Copy(io.Discard, res.Body); n != size || err != nil {
			t.Error(n, err)
		}
	})
	if grown > maxPackageMemory {
		t.Errorf("a download of %d MB takes %d MB", size>>20, grown>>20)
	}
	// npm sends its tarball as base64 inside JSON.
	const encoded = 192 << 20
	head := `{"name":"demo","dist-tags":{"latest":"1.0.0"},"_attachments":{"demo-1.0.0.tgz":{"data":"`
	tail := `"}},"versions":{"1.0.0":{"name":"demo","version":"1.0.0","dist":{}}}}`
	body := io.MultiReader(strings.NewReader(head), io.LimitReader(letters{}, encoded), strings.NewReader(tail))
	grown = s.peakGrowth(func() {
		status, err := s.uploadPackage(t.Context(), "/api/v4/projects/1/packages/npm/demo", int64(len(head)+encoded+len(tail)), body)
		if status != 200 {
			t.Error(status, err)
		}
	})
	if grown > maxPackageMemory {
		t.Errorf("an npm package of %d MB takes %d MB", encoded>>20, grown>>20)
	}
	want := fmt.Sprintf(`"size":%d`, encoded/4*3)
	if status, text, err := s.Do(t.Context(), "GET", "/api/v4/projects/1/packages/2/package_files", ""); !strings.Contains(text, want) {
		t.Error(status, text, err)
	}
}

// letters is an endless text that is base64.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}
