package artifacts

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// manyFiles returns an archive with n empty files and one file with content.
func manyFiles(t *testing.T, n int, comment string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := range n {
		if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("folder/file-%08d", i)}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := w.Create("folder/file-the-last")
	if err == nil {
		_, err = f.Write([]byte("found"))
	}
	if err = errors.Join(err, w.SetComment(comment), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func contentOf(data []byte, name string) (string, error) {
	file, err := findEntry(bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		return "", err
	}
	from, err := file.Open()
	if err != nil {
		return "", err
	}
	defer from.Close()
	text, err := io.ReadAll(from)
	return string(text), err
}

func TestAFileIsFoundInArchivesOfEveryForm(t *testing.T) {
	t.Parallel()
	few, many := manyFiles(t, 3, ""), manyFiles(t, 70_000, "") // over 65,535 entries need a zip64 end record
	for name, data := range map[string][]byte{
		"plain": few, "with a comment": manyFiles(t, 3, strings.Repeat("PK\x05\x06", 500)),
		"with a script before it": append([]byte("#!/bin/sh\nexit\n"), few...),
		"with a long end":         many,
	} {
		if got, err := contentOf(data, "folder/file-the-last"); got != "found" || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if _, err := contentOf(data, "folder/none"); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%s: a file that is not there: %v", name, err)
		}
	}
}

// The search needs memory for one buffer and one entry, not for the whole directory.
func TestALongDirectoryIsNotHeld(t *testing.T) { //nolint:paralleltest // it counts what this process allocates
	data := manyFiles(t, 200_000, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := contentOf(data, "folder/file-the-last")
	runtime.ReadMemStats(&after)
	// zip.NewReader would need over 60 MB for 200,000 files.
	if used := after.TotalAlloc - before.TotalAlloc; got != "found" || err != nil || used > 1<<20 {
		t.Errorf("%q with %d bytes, %v", got, used, err)
	}
}

func TestOnlySoManyEntriesAreLookedThrough(t *testing.T) {
	t.Parallel()
	entry := make([]byte, entryLength, entryLength+1)
	copy(entry, "PK\x01\x02")
	entry[28] = 1
	entry = append(entry, 'a')
	dir := bytes.Repeat(entry, maxEntries)
	last := bytes.Clone(entry)
	last[entryLength] = 'b'
	dir = append(dir, last...)
	d := directory{size: int64(len(dir))}
	if found, err := d.find(bytes.NewReader(dir), "b"); found != nil || err != nil {
		t.Errorf("an entry behind the limit: %q, %v", found, err)
	}
	if found, err := d.find(bytes.NewReader(dir[entryLength+1:]), "b"); found == nil || err != nil {
		t.Errorf("an entry at the limit: %q, %v", found, err)
	}
}

// Every archive that a job uploads, however broken, gives a file or an error and never a panic.
func TestBrokenArchivesAreHarmless(t *testing.T) {
	t.Parallel()
	whole := manyFiles(t, 5, "")
	for n := range whole {
		if got, err := contentOf(whole[:n], "folder/file-the-last"); err == nil {
			t.Errorf("%d bytes of %d: %q", n, len(whole), got)
		}
	}
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	for range 20_000 {
		bad := bytes.Clone(whole)
		for range 1 + random.IntN(4) {
			bad[random.IntN(len(bad))] = byte(random.Uint32())
		}
		if got, err := contentOf(bad, "folder/file-the-last"); err == nil && got != "found" {
			t.Fatalf("%q out of %q", got, bad)
		}
	}
}

func TestAnArchiveWithTooManyFilesIsNotHeld(t *testing.T) {
	t.Parallel()
	data := manyFiles(t, 4, "")
	for most, want := range map[int]error{5: nil, 6: nil, 4: ErrTooMany, 0: ErrTooMany} {
		archive, err := openZip(bytes.NewReader(data), int64(len(data)), most)
		if !errors.Is(err, want) || (want == nil && len(archive.File) != 5) {
			t.Errorf("at most %d: %v", most, err)
		}
	}
	if _, err := openZip(strings.NewReader("no zip file"), 11, 5); !errors.Is(err, ErrNoEntry) {
		t.Errorf("no zip file: %v", err)
	}
}
