package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"svc/server/domain/archive"
)

const oneIssue = `{"iid":1,"author_id":7,"title":"One","state":"opened","issue_type":"issue","severity":"UNKNOWN",` +
	`"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}` + "\n"

// tarOf returns a tar file of pairs of names and texts.
func tarOf(t testing.TB, pairs ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: pairs[i], Size: int64(len(pairs[i+1])), Mode: 0o644})
		if err == nil {
			_, err = io.WriteString(w, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipOf(t testing.TB, content []byte) io.Reader {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &out
}

// small returns a tar file with a version, a project and the given files.
func small(t testing.TB, pairs ...string) []byte {
	t.Helper()
	return tarOf(t, append([]string{versionFile, version, projectFile, `{"visibility":"private","last_issue_iid":9}`}, pairs...)...)
}

func TestAnArchiveIsReadInOrder(t *testing.T) {
	t.Parallel()
	index := `{"secret":"` + strings.Repeat("a", 32) + `","filename":"x.txt","size":1}` + "\n"
	good := small(t, uploadIndex, index, uploadFiles+strings.Repeat("a", 32), "x", partFolder+issuesPart+partExtension, oneIssue)
	p, records, err := Read(t.Context(), gzipOf(t, good), discard{})
	if err != nil || records != 3 || p.Issues != 9 {
		t.Errorf("%d records, %+v: %v", records, p, err)
	}
	for want, content := range map[string][]byte{
		"instead of the next file": small(t, uploadIndex, index, uploadFiles+strings.Repeat("b", 32), "x"),
		"out of order": small(t, partFolder+issuesPart+partExtension, oneIssue, bundleFile,
			"# v2 git bundle\n\n"),
		"the numbers in": small(t, partFolder+issuesPart+partExtension, strings.Replace(oneIssue, `"iid":1`, `"iid":10`, 1)),
	} {
		_, _, err := Read(t.Context(), gzipOf(t, content), discard{})
		var refused *archive.BadArchiveError
		if !errors.As(err, &refused) || !strings.Contains(refused.Text, want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small(f, partFolder+issuesPart+partExtension, oneIssue))
	f.Add(small(f, bundleFile, "# v2 git bundle\n"+strings.Repeat("1", 40)+" refs/heads/main\n\nPACK"))
	f.Fuzz(func(t *testing.T, content []byte) {
		_, _, err := Read(t.Context(), gzipOf(t, content), discard{})
		var refused *archive.BadArchiveError
		if err != nil && !errors.As(err, &refused) {
			t.Errorf("%v is not explained", err)
		}
	})
}
