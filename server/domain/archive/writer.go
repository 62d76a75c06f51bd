package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"
)

// Writer writes an archive. Each file in a tar archive begins with its length, so Writer first writes files of unknown
// length to a spool.
type Writer struct {
	zip   *gzip.Writer
	tar   *tar.Writer
	spool *spool
	at    time.Time
}

// NewWriter returns a Writer. Temporary files lie in folder. The caller must call Discard at the end.
func NewWriter(to io.Writer, folder string, at time.Time) *Writer {
	zip := gzip.NewWriter(to)
	return &Writer{zip: zip, tar: tar.NewWriter(zip), spool: &spool{folder: folder}, at: at.UTC().Truncate(time.Second)}
}

// Close finishes the archive.
func (w *Writer) Close() error { return errors.Join(w.tar.Close(), w.zip.Close()) }

// Discard removes the temporary file.
func (w *Writer) Discard() { w.spool.close() }

// File adds a file of known size.
func (w *Writer) File(name string, size int64, from io.Reader) error {
	err := w.tar.WriteHeader(
		&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: w.at, Format: tar.FormatUSTAR},
	)
	if err == nil {
		_, err = io.Copy(w.tar, from)
	}
	return err
}

// Text adds a file with the given content.
func (w *Writer) Text(name, content string) error {
	return w.File(name, int64(len(content)), bytes.NewReader([]byte(content)))
}

// JSON adds a file with one JSON object.
func (w *Writer) JSON(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return w.Text(name, string(text)+"\n")
}

// Lines adds a file with one JSON object per line, for each record that write puts. If there are none, it adds no file.
func (w *Writer) Lines(name string, write func(put func(record any) error) error) error {
	return w.Bytes(name, func(to io.Writer) error {
		out := json.NewEncoder(to)
		out.SetEscapeHTML(false)
		return write(out.Encode)
	})
}

// Bytes adds a file with the bytes that write writes. If there are none, it adds no file.
func (w *Writer) Bytes(name string, write func(to io.Writer) error) error {
	if err := w.spool.clear(); err != nil {
		return err
	}
	if err := write(w.spool); err != nil || w.spool.size == 0 {
		return err
	}
	from, err := w.spool.reader()
	if err != nil {
		return err
	}
	return w.File(name, w.spool.size, from)
}

// spool holds content of unknown length: in memory while it is small, otherwise in an unlinked temporary file, which
// disappears even if the process dies.
type spool struct {
	folder string
	size   int64
	small  bytes.Buffer
	file   *os.File
	used   bool // whether the content is in the file
}

const spoolMemory = 1 << 20

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	s.size += int64(len(p))
	if s.small.Len()+len(p) <= spoolMemory {
		return s.small.Write(p)
	}
	if err := s.spill(); err != nil {
		return 0, err
	}
	return s.small.Write(p)
}

// spill moves the content from memory to the file.
func (s *spool) spill() error {
	if s.file == nil {
		if err := os.MkdirAll(s.folder, 0o700); err != nil {
			return err
		}
		file, err := os.CreateTemp(s.folder, "")
		if err != nil {
			return err
		}
		s.file = file
		if err := os.Remove(file.Name()); err != nil {
			return err
		}
	}
	s.used = true
	_, err := s.small.WriteTo(s.file)
	return err
}

// reader returns a reader that starts at the beginning.
func (s *spool) reader() (io.Reader, error) {
	if !s.used {
		return bytes.NewReader(s.small.Bytes()), nil
	}
	if err := s.spill(); err != nil {
		return nil, err
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return io.LimitReader(s.file, s.size), err
}

// clear empties the spool.
func (s *spool) clear() error {
	s.small.Reset()
	s.size = 0
	if !s.used {
		return nil
	}
	s.used = false
	_, err := s.file.Seek(0, io.SeekStart)
	return errors.Join(err, s.file.Truncate(0))
}

// close closes the temporary file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
