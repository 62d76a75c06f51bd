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

// packer writes an archive. A file in it begins with its length, so each is written aside first.
type packer struct {
	zip   *gzip.Writer
	tar   *tar.Writer
	aside *spool
	at    time.Time
}

// newPacker writes to a writer; unfinished files lie in a folder.
func newPacker(to io.Writer, folder string) *packer {
	zip := gzip.NewWriter(to)
	return &packer{zip: zip, tar: tar.NewWriter(zip), aside: &spool{folder: folder}, at: time.Now().UTC().Truncate(time.Second)}
}

// close ends the archive.
func (p *packer) close() error { return errors.Join(p.tar.Close(), p.zip.Close()) }

// file adds a file.
func (p *packer) file(name string, size int64, from io.Reader) error {
	err := p.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: p.at, Format: tar.FormatUSTAR})
	if err == nil {
		_, err = io.Copy(p.tar, from)
	}
	return err
}

// text adds a file that is at hand.
func (p *packer) text(name, content string) error {
	return p.file(name, int64(len(content)), bytes.NewReader([]byte(content)))
}

// lines adds a file of what is put, one object on a line; none if nothing is.
func (p *packer) lines(name string, write func(put func(record any) error) error) error {
	return p.bytes(name, func(to io.Writer) error {
		out := json.NewEncoder(to)
		out.SetEscapeHTML(false)
		return write(out.Encode)
	})
}

// bytes adds a file of what is written; none if nothing is.
func (p *packer) bytes(name string, write func(to io.Writer) error) error {
	if err := p.aside.clear(); err != nil {
		return err
	}
	if err := write(p.aside); err != nil || p.aside.size == 0 {
		return err
	}
	from, err := p.aside.reader()
	if err != nil {
		return err
	}
	return p.file(name, p.aside.size, from)
}

// inGroup is the name of something of a group.
func inGroup(id int64, rest string) string { return groupFolder + strconv.FormatInt(id, 10) + rest }

// part is the name of a part of a group.
func part(id int64, name string) string { return inGroup(id, "/"+name+".ndjson") }

// spool holds a file of unknown length: in memory while it is small, else in a file without a name, which is gone whatever happens.
type spool struct {
	folder string
	size   int64
	small  bytes.Buffer
	file   *os.File
	used   bool // whether the content is in the file
}

const spoolMemory = 1 << 20

// Write adds to it.
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

// spill moves what is in memory into the file.
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

// reader reads it from the beginning.
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

// clear makes it empty.
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

// close lets the file go.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
