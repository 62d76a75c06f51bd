package site

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
)

// archived returns a zip file of names and texts; a name that ends with @ is a link.
func archived(t *testing.T, files ...string) *zip.Reader {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		h := &zip.FileHeader{Name: strings.TrimSuffix(files[i], "@"), Method: zip.Deflate}
		h.SetMode(0o644)
		switch {
		case strings.HasSuffix(files[i], "@"):
			h.SetMode(fs.ModeSymlink | 0o777)
		case strings.HasSuffix(files[i], "/"):
			h.SetMode(fs.ModeDir | 0o755)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return reader(t, out.Bytes())
}

func reader(t *testing.T, data []byte) *zip.Reader {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOnlyPlainFilesOfTheFolderAreChosen(t *testing.T) {
	t.Parallel()
	for want, files := range map[string][]string{
		"[a.html b/c.css]": {
			"public/", "", "public/a.html", "a", "public/b/", "", "public/b/c.css", "c", "publicity/x", "x", "other@",
			"/etc/passwd", "../up", "x", "/abs", "x",
		},
		"link is not a regular file":                                 {"public/a", "a", "public/link@", "/etc/passwd"},
		`the name "../x" is not a path inside the site`:              {"public/../x", "x"},
		`the name "/etc/x" is not a path inside the site`:            {"public//etc/x", "x"},
		`the name "a/./b" is not a path inside the site`:             {"public/a/./b", "x"},
		`the name "a\\b" contains characters that are not allowed`:   {`public/a\b`, "x"},
		`the name "a\x00b" contains characters that are not allowed`: {"public/a\x00b", "x"},
		`the name "a\nb" contains characters that are not allowed`:   {"public/a\nb", "x"},
		"is too long":                                                   {"public/" + strings.Repeat("a", 201), "x"},
		"aaa is in the artifacts twice":                                 {"public/aaa", "1", "public/aaa", "2"},
		"a/b is both a file and a folder":                               {"public/a/b", "1", "public/a/b/c/d", "2"},
		"the artifacts have no files in the folder public":              {"public/", "", "x", "y"},
		"its files have more than 10 bytes in total":                    {"public/a", "123456", "public/b", "123456"},
		`the name "b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b/b`: {"public/" + strings.Repeat("b/", 60) + "b", "x"},
	} {
		chosen, err := choose(archived(t, files...).File, "public", 10)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var names []string
			for _, c := range chosen {
				names = append(names, c.name)
			}
			got = fmt.Sprint(names)
		}
		if !strings.Contains(got, want) {
			t.Errorf("%.80q: %s, want %s", files, got, want)
		}
	}
	for _, root := range []string{"", "..", "../public", "/public", `pub\lic`, "a//b"} {
		var why refusal
		if _, err := choose(nil, root, 10); !errors.As(err, &why) {
			t.Errorf("%q: %v", root, err)
		}
	}
}

func TestWhatIsPackedCanBeUnpacked(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	chosen, err := choose(archived(t, "public/a/b", strings.Repeat("hello ", 100), "public/empty", "").File, "public", 1000)
	if err == nil {
		err = write(&out, chosen)
	}
	if err != nil {
		t.Fatal(err)
	}
	files := reader(t, out.Bytes()).File
	var text strings.Builder
	if err := unpack(&text, files[0]); err != nil || files[0].Name != "a/b" || text.String() != strings.Repeat("hello ", 100) ||
		len(files) != 2 {
		t.Error(files, err, text.Len())
	}
	// A file with a wrong size or checksum is refused, and so is one with an unknown compression method.
	for name, spoil := range map[string]func(*zip.File){
		"more bytes": func(f *zip.File) { f.UncompressedSize64 -= 10 }, "fewer bytes": func(f *zip.File) { f.UncompressedSize64 += 10 },
		"another sum": func(f *zip.File) { f.CRC32++ }, "another way": func(f *zip.File) { f.Method = 99 },
	} {
		bad := archived(t, "public/a", strings.Repeat("x", 1000)).File
		spoil(bad[0])
		var why refusal
		if err := write(io.Discard, []entry{{"a", bad[0]}}); !errors.As(err, &why) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
