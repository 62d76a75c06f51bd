package lfs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func oidOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func files(t testing.TB) (*Files, map[string]string) {
	t.Helper()
	roots := map[string]string{"a": t.TempDir(), "b": t.TempDir()}
	f, err := Open(roots)
	if err != nil {
		t.Fatal(err)
	}
	return f, roots
}

func drafts(t testing.TB, root string) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "@lfs", "drafts"))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func receive(t testing.TB, f *Files, storage, text string) *Draft {
	t.Helper()
	d, err := f.Receive(storage, oidOf(text), int64(len(text)), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Discard)
	return d
}

func TestAFileIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	f, roots := files(t)
	const text = "content"
	broken := errors.New("broken off")
	for name, c := range map[string]struct {
		size int64
		from io.Reader
		want error
	}{
		"short":   {8, strings.NewReader(text), ErrSize},
		"long":    {6, strings.NewReader(text), ErrSize},
		"endless": {1<<63 - 1, strings.NewReader(text), ErrSize},
		"other":   {7, strings.NewReader("CONTENT"), ErrContent},
		"broken":  {7, io.MultiReader(strings.NewReader("con"), iotest.ErrReader(broken)), broken},
	} {
		if _, err := f.Receive("a", oidOf(text), c.size, c.from); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := f.Receive("none", oidOf(text), 7, strings.NewReader(text)); err == nil {
		t.Error("a storage that is not there took a file")
	}
	receive(t, f, "a", text).Discard() // a transaction that failed
	if n := drafts(t, roots["a"]); n != 0 {
		t.Errorf("%d drafts are left", n)
	}
	if _, err := f.Read("a", oidOf(text)); !os.IsNotExist(err) {
		t.Errorf("a refused file is there: %v", err)
	}
	for range 2 { // the second one replaces the first, which is the same
		d := receive(t, f, "a", text)
		if at, err := d.Store(t.Context(), "a"); at != "a" || err != nil {
			t.Errorf("at %s, %v", at, err)
		}
		d.Discard()
	}
	got, err := os.ReadFile(f.place("a", oidOf(text)))
	if err != nil || string(got) != text || drafts(t, roots["a"]) != 0 {
		t.Errorf("%q, %v, %d drafts", got, err, drafts(t, roots["a"]))
	}
	for range 2 {
		if err := f.Remove(t.Context(), "a", oidOf(text)); err != nil {
			t.Error(err)
		}
	}
}

func TestAFileIsKeptOnceOnAllStorages(t *testing.T) {
	t.Parallel()
	f, roots := files(t)
	if at, err := receive(t, f, "a", "x").Store(t.Context(), "a"); at != "a" || err != nil {
		t.Fatal(at, err)
	}
	d := receive(t, f, "b", "x")
	if at, err := d.Store(t.Context(), "a"); at != "a" || err != nil {
		t.Errorf("at %s, %v", at, err)
	}
	d.Discard()
	if _, err := f.Read("b", oidOf("x")); !os.IsNotExist(err) || drafts(t, roots["b"]) != 0 {
		t.Errorf("there are two: %v", err)
	}
	// A client that uploads a file again repairs a storage that has lost it, also if the whole storage is missing.
	if err := f.Remove(t.Context(), "a", oidOf("x")); err != nil {
		t.Fatal(err)
	}
	for _, lost := range []string{"a", "gone"} {
		if at, err := receive(t, f, "b", "x").Store(t.Context(), lost); at != "b" || err != nil {
			t.Errorf("at %s, %v", at, err)
		}
	}
}

func TestOldFilesAndDraftsAreFound(t *testing.T) {
	t.Parallel()
	f, roots := files(t)
	now := time.Now()
	for text, age := range map[string]time.Duration{"old": 2 * time.Hour, "new": 0} {
		if _, err := receive(t, f, "a", text).Store(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		d := receive(t, f, "a", "draft "+text)
		for _, path := range []string{f.place("a", oidOf(text)), d.file.Name()} {
			if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var seen []string
	err := f.EachOlder(t.Context(), "a", now.Add(-time.Hour), func(oids []string) error {
		seen = append(seen, oids...)
		return nil
	})
	if err != nil || len(seen) != 1 || seen[0] != oidOf("old") {
		t.Errorf("%v, %v", seen, err)
	}
	for _, storage := range f.Storages() { // one of them was never used
		if err := f.Tidy(storage, now.Add(-time.Hour)); err != nil {
			t.Error(err)
		}
	}
	if n := drafts(t, roots["a"]); n != 1 {
		t.Errorf("%d drafts are left, want 1", n)
	}
}

func TestPointers(t *testing.T) {
	t.Parallel()
	oid := oidOf("x")
	good := "version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 12\n"
	for name, c := range map[string]struct {
		text string
		is   bool
	}{
		"good":         {good, true},
		"extension":    {strings.Replace(good, "oid", "ext-0-foo sha256:"+oid+"\noid", 1), true},
		"no last line": {strings.TrimSuffix(good, "\n"), true},
		"empty":        {"", false},
		"text":         {"hello\n", false},
		"version":      {strings.Replace(good, "v1", "v2", 1), false},
		"no size":      {strings.Replace(good, "size 12\n", "", 1), false},
		"bad size":     {strings.Replace(good, "12", "-1", 1), false},
		"upper case":   {strings.Replace(good, oid, strings.ToUpper(oid), 1), false},
		"out of it":    {strings.Replace(good, oid, "../../../../etc/passwd", 1), false},
		"long":         {good + strings.Repeat("x", 1024), false},
	} {
		p, ok := ReadPointer([]byte(c.text))
		if ok != c.is || (ok && (p.OID != oid || p.Size != 12)) {
			t.Errorf("%s: %v %+v", name, ok, p)
		}
	}
}
