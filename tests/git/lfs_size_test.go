package git

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// The server streams a file in pieces, in both directions.
func TestALargeFileTakesLittleMemory(t *testing.T) {
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	const size = 200 << 20
	path := filepath.Join(t.TempDir(), "large")
	source, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(source)
	for i := range size / 16 {
		fmt.Fprintf(w, "%015d\n", i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	oid := fileDigest(t, source)
	before := peak()
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest("PUT", fmt.Sprintf("%s/%s.git/svc-lfs/objects/%s/%d", h.URL, p.FullPath, oid, size), source)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = size
	req.SetBasicAuth("x", ann.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Fatal(res.StatusCode)
	}
	req, err = http.NewRequest("GET", fmt.Sprintf("%s/%s.git/svc-lfs/objects/%s", h.URL, p.FullPath, oid), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("x", ann.Token)
	if res, err = http.DefaultClient.Do(req); err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := readerDigest(t, res.Body); got != oid {
		t.Errorf("came back as %s", got)
	}
	if grown := peak() - before; grown > 64<<20 {
		t.Errorf("memory grew by %d MiB", grown>>20)
	}
}

// peak returns how much heap memory Go has obtained from the system so far.
func peak() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapSys)
}

// rawFiles is a project with committed files whose raw content is read.
type rawFiles struct {
	ann *harness.Caller
	p   model.Project
}

// path returns the API path of a file.
func (r rawFiles) path(name string) string {
	return fmt.Sprintf("/projects/%d/repository/files/%s", r.p.ID, strings.ReplaceAll(name, ".", "%2E"))
}

// add commits a file.
func (r rawFiles) add(t *testing.T, name, text string) {
	t.Helper()
	content, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"branch":"main","commit_message":"Add","content":%s}`, content)
	if got := r.ann.JSON("POST", r.path(name), body); got.Status != 201 {
		t.Fatal(got.Body)
	}
}

// read returns the raw content of a file.
func (r rawFiles) read(name, query string, pairs ...string) harness.Answer {
	return r.ann.Send("GET", r.path(name)+"/raw?ref=main"+query, "", pairs...)
}

func TestRawFilesReturnTheLFSObjectOfAPointer(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	p, other := h.Project(*ann.User.NamespaceID), h.Project(*ben.User.NamespaceID)
	data, missing := []byte("<script>large</script>"), []byte("of another project")
	upload(t, h, ann, p, data)
	upload(t, h, ben, other, missing)
	raw := rawFiles{ann, p}
	raw.add(t, "here.bin", pointer(data))
	raw.add(t, "gone.bin", pointer(missing))
	raw.add(t, "text", "text")
	got := raw.read("here.bin", "&lfs=true")
	if got.Status != 200 || got.Body != string(data) ||
		got.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(got.Header.Get("Content-Security-Policy"), "sandbox") ||
		got.Header.Get("X-Svc-Size") != fmt.Sprint(len(data)) || got.Header.Get("X-Svc-Content-Sha256") != digest(data) {
		t.Errorf("%d %s %v", got.Status, got.Body, got.Header)
	}
	if again := raw.read("here.bin", "&lfs=true", "If-None-Match", got.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("the same tag got %d", again.Status)
	}
	if got := raw.read("text", "&lfs=true"); got.Body != "text" {
		t.Errorf("no pointer: %s", got.Body)
	}
	if got := raw.read("gone.bin", "&lfs=true"); got.Status != 404 || got.Body != `{"message":"404 LFS Object Not Found"}` {
		t.Errorf("another project's: %d %s", got.Status, got.Body)
	}
}

func TestRawFilesReturnThePointerIfTheObjectIsNotWanted(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	data := []byte("large")
	upload(t, h, ann, p, data)
	raw := rawFiles{ann, p}
	raw.add(t, "here.bin", pointer(data))
	for _, query := range []string{"", "&lfs=false"} {
		if got := raw.read("here.bin", query); got.Body+"\n" != pointer(data) {
			t.Errorf("%s: %s", query, got.Body)
		}
	}
	if got := ann.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"lfs_enabled":false}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	if got := raw.read("here.bin", "&lfs=true"); got.Body+"\n" != pointer(data) {
		t.Errorf("off: %s", got.Body)
	}
}
