package export

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strconv"
	"time"
)

// packer writes an archive. Each file in a tar archive begins with its length, so packer first writes it to a spool.
type packer struct {
	zip   *gzip.Writer
	tar   *tar.Writer
	spool *spool
	at    time.Time
}

// newPacker returns a packer that writes to a writer. Temporary files lie in folder.
func newPacker(to io.Writer, folder string, at time.Time) *packer {
	zip := gzip.NewWriter(to)
	return &packer{zip: zip, tar: tar.NewWriter(zip), spool: &spool{folder: folder}, at: at.UTC().Truncate(time.Second)}
}

// close finishes the archive.
func (p *packer) close() error { return errors.Join(p.tar.Close(), p.zip.Close()) }

func (p *packer) file(name string, size int64, from io.Reader) error {
	err := p.tar.WriteHeader(
		&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: p.at, Format: tar.FormatUSTAR},
	)
	if err == nil {
		_, err = io.Copy(p.tar, from)
	}
	return err
}

// text adds a file with the given content.
func (p *packer) text(name, content string) error {
	return p.file(name, int64(len(content)), bytes.NewReader([]byte(content)))
}

// lines adds a file with one JSON object per line, for each record that write puts. If there are none, it adds no file.
func (p *packer) lines(name string, write func(put func(record any) error) error) error {
	return p.bytes(name, func(to io.Writer) error {
		out := json.NewEncoder(to)
		out.SetEscapeHTML(false)
		return write(out.Encode)
	})
}

// bytes adds a file with the bytes that write writes. If there are none, it adds no file.
func (p *packer) bytes(name string, write func(to io.Writer) error) error {
	if err := p.spool.clear(); err != nil {
		return err
	}
	if err := write(p.spool); err != nil || p.spool.size == 0 {
		return err
	}
	from, err := p.spool.reader()
	if err != nil {
		return err
	}
	return p.file(name, p.spool.size, from)
}

// inGroup returns the name of a file of a group in the archive.
func inGroup(id int64, rest string) string { return groupFolder + strconv.FormatInt(id, 10) + rest }

// part returns the name of the file with one part of a group, such as its labels.
func part(id int64, name string) string { return inGroup(id, "/"+name+".ndjson") }

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
