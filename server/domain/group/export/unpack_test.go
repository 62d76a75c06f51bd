package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// entry is a file in an archive.
type entry struct {
	name, text string
	kind       byte
}

const rootJSON = `{"id":7,"parent_id":null,"name":"Acme","path":"acme","visibility":"private",` +
	`"project_creation_level":"developer","subgroup_creation_level":"maintainer",` +
	`"shared_runners_setting":"enabled"}` + "\n"

func child(id, parent int64, path string) entry {
	text := strings.Replace(rootJSON, `"id":7,"parent_id":null`, fmt.Sprintf(`"id":%d,"parent_id":%d`, id, parent), 1)
	return entry{name: inGroup(id, ".json"), text: strings.Replace(text, `"path":"acme"`, `"path":"`+path+`"`, 1)}
}

// plain returns the valid beginning of an archive with one group.
func plain(more ...entry) []entry {
	return append(
		[]entry{{name: versionFile, text: version}, {name: groupsFile, text: "7\n"}, {name: inGroup(7, ".json"), text: rootJSON}},
		more...,
	)
}

// tree returns the valid beginning of an archive with several groups.
func tree(ids string, more ...entry) []entry {
	return append(
		[]entry{{name: versionFile, text: version}, {name: groupsFile, text: ids}, {name: inGroup(7, ".json"), text: rootJSON}},
		more...,
	)
}

func tarOf(t testing.TB, entries []entry) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		h := &tar.Header{Typeflag: e.kind, Name: e.name, Size: int64(len(e.text)), Mode: 0o644}
		if e.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag != tar.TypeReg {
			h.Size, h.Linkname = 0, e.text
			e.text = ""
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipOf(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func packed(t testing.TB, entries []entry) []byte {
	t.Helper()
	return gzipOf(t, tarOf(t, entries))
}

func lines(n int, line string) string { return strings.Repeat(line+"\n", n) }

const oneLabel = `{"title":"bug","color":"#ff0000","description":null}`

func TestAGoodArchiveIsRead(t *testing.T) {
	t.Parallel()
	n, err := Read(t.Context(), bytes.NewReader(packed(t, tree("7\n9\n",
		entry{name: part(7, labelsPart), text: lines(1200, oneLabel)},
		entry{
			name: part(7, milestonesPart),
			text: `{"iid":3,"title":"1.0","state":"active","start_date":"2026-01-01","due_date":"2026-02-01","unknown":1}` + "\n",
		},
		entry{
			name: part(7, badgesPart),
			text: `{"name":"b","link_url":"https://example.com/%{project_path}","image_url":"https://example.com/x.svg"}` + "\n",
		},
		entry{name: part(7, boardsPart), text: `{"name":"Board","lists":[{"label":` + oneLabel + `}]}` + "\n"},
		entry{
			name: part(7, membersPart),
			text: `{"access_level":30,"expires_at":"2099-01-01","user":{"id":1,"username":"u","public_email":"u@example.com"}}` + "\n",
		},
		child(9, 7, "sub"),
	))), discardSink{})
	if err != nil || n != 1206 {
		t.Fatalf("%d records, %v", n, err)
	}
}

func TestArchivesThatAreRefused(t *testing.T) {
	t.Parallel()
	labels := func(text string) []entry { return plain(entry{name: part(7, labelsPart), text: text}) }
	for want, entries := range map[string][]entry{
		`"../etc/passwd" is out of order in the archive`:                plain(entry{name: "../etc/passwd", text: "x"}),
		`"tree/groups/7/../../x.ndjson" is out of order in the archive`: plain(entry{name: "tree/groups/7/../../x.ndjson", text: "x"}),
		`"/etc/passwd" is out of order in the archive`:                  plain(entry{name: "/etc/passwd", text: "x"}),
		`"tree/groups/7/labels.ndjson" is not a regular file`: plain(
			entry{name: part(7, labelsPart), text: "/etc/passwd", kind: tar.TypeSymlink},
		),
		`"hard" is not a regular file`:                                plain(entry{name: "hard", text: "VERSION", kind: tar.TypeLink}),
		`"null" is not a regular file`:                                plain(entry{name: "null", kind: tar.TypeChar}),
		`"disk" is not a regular file`:                                plain(entry{name: "disk", kind: tar.TypeBlock}),
		`"pipe" is not a regular file`:                                plain(entry{name: "pipe", kind: tar.TypeFifo}),
		`"folder/" is not a regular file`:                             plain(entry{name: "folder/", kind: tar.TypeDir}),
		`"tree/groups/8.json" is out of order in the archive`:         plain(child(8, 7, "sub")),
		`"tree/groups/7.json" is out of order in the archive`:         plain(entry{name: inGroup(7, ".json"), text: rootJSON}),
		`"tree/groups/7/epics.ndjson" is out of order in the archive`: plain(entry{name: part(7, "epics"), text: "{}\n"}),
		`the archive is empty`:                                        {},
		`found "x" instead of VERSION`:                                {{name: "x", text: version}},
		`the archive has the format "2\n"; this service reads "1\n"`:  {{name: versionFile, text: "2\n"}},
		`is not a list of groups`: {
			{name: versionFile, text: version}, {name: groupsFile, text: "7\n7\n"},
		},
		`the archive has more than 5000 groups`: {
			{name: versionFile, text: version}, {name: groupsFile, text: strings.Repeat("1\n", 5001)},
		},
		`the archive ends before all groups of its list`:        tree("7\n8\n"),
		`a group comes before its parent group`:                 tree("7\n9\n", child(9, 8, "sub")),
		`two groups have the same path`:                         tree("7\n8\n9\n", child(8, 7, "sub"), child(9, 7, "SUB")),
		`the path of a group can contain only`:                  tree("7\n8\n", child(8, 7, "../x")),
		`a line of tree/groups/7/labels.ndjson is not a record`: labels("[]\n"),
		`the last line has no newline at its end`:               labels(oneLabel),
		`a line is longer than`:                                 labels(`"` + strings.Repeat("a", maxLine)),
		`the title of a label is empty`:                         labels(`{"title":" ","color":"#ff0000"}` + "\n"),
		`the title of a label contains a comma`:                 labels(`{"title":"a,b","color":"#ff0000"}` + "\n"),
		`the title of a label is longer than 255 characters`: labels(
			`{"title":"` + strings.Repeat("é", 256) + `","color":"#ff0000"}` + "\n",
		),
		`the title of a label contains a NUL character`: labels(`{"title":"a\u0000","color":"#ff0000"}` + "\n"),
		`the color of a label is invalid`:               labels(`{"title":"a","color":"red"}` + "\n"),
		`the access_level of a member is invalid`: plain(
			entry{name: part(7, membersPart), text: `{"access_level":60,"user":{}}` + "\n"},
		),
		`the URL of a badge is blocked`: plain(
			entry{name: part(7, badgesPart), text: `{"link_url":"javascript:x","image_url":"https://example.com"}` + "\n"},
		),
		`a group has more than 100 boards`: plain(
			entry{name: part(7, boardsPart), text: lines(101, `{"name":"b"}`)},
		),
		`a board has two lists for the same label`: plain(
			entry{name: part(7, boardsPart), text: `{"name":"b","lists":[{"label":` + oneLabel + `},{"label":` + oneLabel + `}]}` + "\n"},
		),
		`a milestone ends before it begins`: plain(entry{
			name: part(7, milestonesPart),
			text: `{"iid":1,"title":"a","state":"active","start_date":"2026-02-01","due_date":"2026-01-01"}` + "\n",
		}),
		`the archive has more than 250000 records`: labels(lines(250_001, oneLabel)),
	} {
		refused(t, want, packed(t, entries))
	}
}

// refused checks that reading an archive fails with a text.
func refused(t *testing.T, want string, data []byte) {
	t.Helper()
	_, err := Read(t.Context(), bytes.NewReader(data), discardSink{})
	var told *BadArchiveError
	if !errors.As(err, &told) || !strings.Contains(told.Text, want) {
		t.Errorf("%.200v, want %s", err, want)
	}
}

func TestDamagedArchivesAreRefused(t *testing.T) {
	t.Parallel()
	content := tarOf(t, plain(entry{name: part(7, labelsPart), text: lines(5000, oneLabel)}))
	good := gzipOf(t, content)
	refused(t, "not compressed with gzip", nil)
	refused(t, "not compressed with gzip", []byte("PK\x03\x04"))
	refused(t, "the archive is damaged", good[:len(good)/2])
	refused(t, "the archive is damaged", good[:len(good)-4])
	refused(t, "the archive is damaged", append(append([]byte{}, good...), "garbage"...))
	sum := append([]byte{}, good...)
	sum[len(sum)-6] ^= 1
	refused(t, "the archive is damaged", sum)
	refused(t, "the archive is damaged", gzipOf(t, content[:2700]))
	refused(t, "not a tar file", gzipOf(t, bytes.Repeat([]byte("no tar "), 1000)))
	broken := errors.New("the network is gone")
	_, err := Read(t.Context(), io.MultiReader(bytes.NewReader(good[:100]), iotest.ErrReader(broken)), discardSink{})
	if !errors.Is(err, broken) {
		t.Errorf("what cannot be read: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, bytes.NewReader(good), discardSink{}); !errors.Is(err, context.Canceled) {
		t.Errorf("who gives up: %v", err)
	}
}

// zeros is a file of zeros in an archive, far longer than the reader ever reads.
type zeros struct {
	left int64
	read int64
}

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.left)
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	z.left -= n
	z.read += n
	return int(n), nil
}

// bomb is an endless archive that is packed while it is read. Close waits until nothing writes to it any more.
type bomb struct {
	*io.PipeReader
	ended chan struct{}
}

func endless(write func(w *tar.Writer) error) bomb {
	from, to := io.Pipe()
	b := bomb{PipeReader: from, ended: make(chan struct{})}
	go func() {
		defer close(b.ended)
		zip := gzip.NewWriter(to)
		to.CloseWithError(errors.Join(write(tar.NewWriter(zip)), zip.Close()))
	}()
	return b
}

func (b bomb) Close() error {
	err := b.PipeReader.Close()
	<-b.ended
	return err
}

func TestBombsAreRefusedEarly(t *testing.T) {
	t.Parallel()
	begin := func(w *tar.Writer) error {
		var errs []error
		for _, e := range plain() {
			errs = append(errs, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text))}))
			_, err := io.WriteString(w, e.text)
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	}
	z := &zeros{left: 10 << 30}
	from := endless(func(w *tar.Writer) error {
		if err := errors.Join(
			begin(w),
			w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "tree/groups/7/big", Size: z.left, Format: tar.FormatGNU}),
		); err != nil {
			return err
		}
		_, err := io.Copy(w, z)
		return err
	})
	_, err := Read(t.Context(), from, discardSink{})
	from.Close()
	if explain(err) == nil {
		t.Errorf("10 GiB of zeros: %v", err)
	}
	z = &zeros{left: 10 << 30}
	from = endless(func(w *tar.Writer) error {
		if err := errors.Join(
			begin(w),
			w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: part(7, labelsPart), Size: z.left, Format: tar.FormatGNU}),
		); err != nil {
			return err
		}
		// The zeros contain no newline, so they are one line that is too long.
		_, err := io.Copy(w, z)
		return err
	})
	_, err = Read(t.Context(), from, discardSink{})
	from.Close()
	if told := explain(err); told == nil || z.read > 64<<20 {
		t.Errorf("10 GiB of zeros in one line: %v after %d bytes", err, z.read)
	}
	made := 0
	from = endless(func(w *tar.Writer) error {
		err := begin(w)
		for ; made < 1_000_000 && err == nil; made++ {
			err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("tree/groups/7/%d.ndjson", made)})
		}
		return err
	})
	_, err = Read(t.Context(), from, discardSink{})
	from.Close()
	if explain(err) == nil || made > 100_000 {
		t.Errorf("a million files: %v after %d", err, made)
	}
}

func TestZerosBehindTheEndCount(t *testing.T) {
	t.Parallel()
	refused(t, "compression ratio of the archive is too high", gzipOf(t, tarOf(t, plain()), make([]byte, 64<<20)))
	padded := gzipOf(t, tarOf(t, plain()), make([]byte, 10240))
	if _, err := Read(t.Context(), bytes.NewReader(padded), discardSink{}); err != nil {
		t.Errorf("some zeros: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(tarOf(f, plain(entry{name: part(7, labelsPart), text: lines(3, oneLabel)})))
	f.Fuzz(func(t *testing.T, content []byte) {
		_, err := Read(t.Context(), bytes.NewReader(gzipOf(t, content)), discardSink{})
		if err != nil && explain(err) == nil {
			t.Errorf("%v is not told", err)
		}
	})
}
