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

func TestRawFilesReturnTheLFSObjectOfAPointer(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	p, other := h.Project(*ann.User.NamespaceID), h.Project(*ben.User.NamespaceID)
	data, missing := []byte("<script>large</script>"), []byte("of another project")
	upload(t, h, ann, p, data)
	upload(t, h, ben, other, missing)
	pointer := func(data []byte) string {
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", digest(data), len(data))
	}
	files := map[string]string{"here.bin": pointer(data), "gone.bin": pointer(missing), "text": "text"}
	for name, text := range files {
		content, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`{"branch":"main","commit_message":"Add","content":%s}`, content)
		if got := ann.JSON(
			"POST", fmt.Sprintf("/projects/%d/repository/files/%s", p.ID, strings.ReplaceAll(name, ".", "%2E")), body,
		); got.Status != 201 {
			t.Fatal(got.Body)
		}
	}
	raw := func(name, query string, pairs ...string) harness.Answer {
		return ann.Send(
			"GET",
			fmt.Sprintf("/projects/%d/repository/files/%s/raw?ref=main%s", p.ID, strings.ReplaceAll(name, ".", "%2E"), query),
			"", pairs...,
		)
	}
	got := raw("here.bin", "&lfs=true")
	if got.Status != 200 || got.Body != string(data) ||
		got.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(got.Header.Get("Content-Security-Policy"), "sandbox") ||
		got.Header.Get("X-Svc-Size") != fmt.Sprint(len(data)) || got.Header.Get("X-Svc-Content-Sha256") != digest(data) {
		t.Errorf("%d %s %v", got.Status, got.Body, got.Header)
	}
	if again := raw("here.bin", "&lfs=true", "If-None-Match", got.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("the same tag got %d", again.Status)
	}
	for query, want := range map[string]string{"": files["here.bin"], "&lfs=false": files["here.bin"]} {
		if got := raw("here.bin", query); got.Body+"\n" != want {
			t.Errorf("%s: %s", query, got.Body)
		}
	}
	if got := raw("text", "&lfs=true"); got.Body != "text" {
		t.Errorf("no pointer: %s", got.Body)
	}
	if got := raw("gone.bin", "&lfs=true"); got.Status != 404 || got.Body != `{"message":"404 LFS Object Not Found"}` {
		t.Errorf("another project's: %d %s", got.Status, got.Body)
	}
	if got := ann.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"lfs_enabled":false}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	if got := raw("here.bin", "&lfs=true"); got.Body+"\n" != files["here.bin"] {
		t.Errorf("off: %s", got.Body)
	}
}
