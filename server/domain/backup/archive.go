package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// The names of the entries that are not files of the instance.
const (
	manifestName = "manifest.json"
	indexName    = "index.jsonl"
	endName      = "end.json"
)

// indexed is a line of the index: one entry of the backup, or a file that only an earlier backup has.
type indexed struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"`
	Base   bool   `json:"base,omitempty"` // the content is in an earlier backup
	Link   string `json:"link,omitempty"` // the content is that of another entry
}

// end is the last entry. A file without it was not written to its end.
type end struct {
	Totals
	SHA256 string `json:"sha256"` // of the index
}

// archiveWriter writes the entries of a backup and remembers them for the index.
type archiveWriter struct {
	buffered *bufio.Writer
	tar      *tar.Writer
	lines    []*indexed // of the index
	at       time.Time  // the time of all entries
	sum      digest
	Totals
}

// newArchiveWriter returns a writer that fails when the context ends.
func newArchiveWriter(ctx context.Context, to io.Writer, at time.Time) *archiveWriter {
	until := writerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return to.Write(p)
	})
	buffered := bufio.NewWriterSize(until, digestSize/2) // smaller than a part, most of which is then not copied
	// With whole seconds, entries need no header of their own for the time.
	return &archiveWriter{buffered: buffered, tar: tar.NewWriter(buffered), at: at.Truncate(time.Second)}
}

// writerFunc is a function that writes.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func (w *archiveWriter) header(name string, size int64) error {
	return w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: w.at, Format: tar.FormatPAX})
}

// add writes an entry with a known size. A file that is shorter than the database says is damaged: it is filled up with
// zero bytes and reported, so that it does not prevent the backup.
func (w *archiveWriter) add(name string, size int64, from io.Reader) error {
	if err := w.header(name, size); err != nil {
		return err
	}
	n, err := w.copy(from, size)
	if err == nil && n < size {
		w.Missing = append(w.Missing, fmt.Sprintf("%s from byte %d on", name, n))
		_, err = w.copy(zeros{}, size-n)
	}
	if err != nil {
		return err
	}
	w.Files++
	w.Bytes += size
	line := &indexed{Name: name, Size: size}
	w.lines = append(w.lines, line)
	w.sum.end(line)
	return nil
}

// copy adds up to a number of bytes to the current entry, and returns how many there were.
func (w *archiveWriter) copy(from io.Reader, most int64) (copied int64, err error) {
	for copied < most {
		part := w.sum.space()
		n, err := io.ReadFull(from, part[:min(most-copied, digestSize)])
		_, failed := w.tar.Write(part[:n])
		w.sum.pass(part[:n])
		copied += int64(n)
		switch {
		case failed != nil:
			return copied, failed
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return copied, nil
		case err != nil:
			return copied, err
		}
	}
	return copied, nil
}

// copySize is how many bytes of a file are in memory at a time.
const copySize = 256 << 10

// zeros is an endless file of zero bytes.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func (w *archiveWriter) addBytes(name string, content []byte) error {
	return w.add(name, int64(len(content)), bytes.NewReader(content))
}

// addBase notes a file that an earlier backup has.
func (w *archiveWriter) addBase(f indexed) {
	w.FromBase++
	f.Base = true
	w.lines = append(w.lines, &f)
}

// addLink notes a file that is the same file as an earlier entry.
func (w *archiveWriter) addLink(name, same string) {
	w.Files++
	w.lines = append(w.lines, &indexed{Name: name, Link: same})
}

// finish writes the index and the end.
func (w *archiveWriter) finish() error {
	w.sum.wait()
	var index bytes.Buffer
	for lines := json.NewEncoder(&index); len(w.lines) > 0; w.lines = w.lines[1:] {
		if err := lines.Encode(w.lines[0]); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(index.Bytes())
	last, err := json.Marshal(end{Totals: w.Totals, SHA256: hex.EncodeToString(sum[:])})
	if err != nil {
		return err
	}
	if err := w.raw(indexName, index.Bytes()); err != nil {
		return err
	}
	if err := w.raw(endName, last); err != nil {
		return err
	}
	if err := w.tar.Close(); err != nil {
		return err
	}
	return w.buffered.Flush()
}

// raw writes an entry that is not in the index.
func (w *archiveWriter) raw(name string, content []byte) error {
	if err := w.header(name, int64(len(content))); err != nil {
		return err
	}
	_, err := w.tar.Write(content)
	return err
}

// archiveReader reads the entries of a backup in their order.
type archiveReader struct {
	tar     *tar.Reader
	read    map[string]*indexed
	sum     digest
	part    []byte // of the entry that is being copied
	current string
	size    int64
}

func newArchiveReader(from io.Reader) *archiveReader {
	if _, ok := from.(io.Seeker); !ok {
		from = bufio.NewReaderSize(from, copySize)
	}
	return &archiveReader{tar: tar.NewReader(from), read: map[string]*indexed{}}
}

// errTruncated is returned for a file that ends too early.
var errTruncated = errors.New("the backup is incomplete: it was not written to its end, or the copy was cut off")

// next moves to the next entry and returns its name and size.
func (r *archiveReader) next() (string, int64, error) {
	r.finishEntry()
	h, err := r.tar.Next()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "", 0, errTruncated
	}
	if err != nil {
		return "", 0, fmt.Errorf("this is not a backup of svc, or it is damaged: %w", err)
	}
	r.current, r.size = h.Name, h.Size
	return h.Name, h.Size, nil
}

// Read reads the current entry.
func (r *archiveReader) Read(p []byte) (int, error) {
	n, err := r.tar.Read(p)
	_, _ = r.sum.Write(p[:n]) // a hash never fails
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errTruncated
	}
	return n, err
}

// until returns a reader of the current entry that fails when the context ends.
func (r *archiveReader) until(ctx context.Context) io.Reader { return entryReader{ctx, r} }

// entryReader reads an entry until the context ends.
type entryReader struct {
	ctx  context.Context
	from *archiveReader
}

func (e entryReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.from.Read(p)
}

// WriteTo copies the entry in larger parts than io.Copy does.
func (e entryReader) WriteTo(to io.Writer) (int64, error) {
	if e.from.part == nil {
		e.from.part = make([]byte, copySize)
	}
	return io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{e}, e.from.part)
}

// finishEntry remembers what was read of the current entry.
func (r *archiveReader) finishEntry() {
	if r.current != "" {
		line := &indexed{Name: r.current, Size: r.size}
		r.read[r.current], r.current = line, ""
		r.sum.end(line)
	}
}

// manifest reads the first entry.
func (r *archiveReader) manifest() (m Manifest, err error) {
	name, _, err := r.next()
	if err != nil {
		return m, err
	}
	if name != manifestName {
		return m, fmt.Errorf("this is not a backup of svc: it begins with %s", name)
	}
	if err := json.NewDecoder(r).Decode(&m); err != nil {
		return m, fmt.Errorf("read %s: %w", manifestName, err)
	}
	_, err = io.Copy(io.Discard, r)
	return m, err
}

// readIndex reads the index, which is the current entry, and the end behind it, and checks both.
func (r *archiveReader) readIndex() ([]indexed, end, error) {
	var lines []indexed
	var last end
	decoder := json.NewDecoder(r)
	for {
		var line indexed
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, last, fmt.Errorf("read %s: %w", indexName, err)
		}
		lines = append(lines, line)
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, last, err
	}
	name, _, err := r.next()
	if err != nil {
		return nil, last, err
	}
	if name != endName {
		return nil, last, errTruncated
	}
	if err := json.NewDecoder(r).Decode(&last); err != nil {
		return nil, last, fmt.Errorf("read %s: %w", endName, err)
	}
	if r.sum.wait(); r.read[indexName].SHA256 != last.SHA256 {
		return nil, last, errors.New("the backup is damaged: its index has changed")
	}
	return lines, last, nil
}

// verify compares what was read with the index.
func (r *archiveReader) verify(lines []indexed) error {
	r.sum.wait()
	for _, line := range lines {
		if line.Base || line.Link != "" {
			continue
		}
		if found := r.read[line.Name]; found == nil || *found != line {
			return fmt.Errorf("the backup is damaged: the content of %s has changed", line.Name)
		}
	}
	return nil
}
