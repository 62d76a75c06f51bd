package archive

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
)

// Reader reads an archive. It is an io.Reader for the current file.
type Reader struct {
	Name    string // the current file
	Size    int64
	Records int64 // counted so far

	ctx     context.Context //nolint:containedctx // of the one call that reads the archive
	tar     *tar.Reader
	packed  *source
	content *measured
	limits  Limits
}

// Open begins to read an archive.
func Open(ctx context.Context, from io.Reader, limits Limits) (*Reader, error) {
	packed := &source{from: from}
	r := &Reader{ctx: ctx, packed: packed, limits: limits}
	zip, err := gzip.NewReader(packed)
	if err != nil {
		return r, Bad("the file is not compressed with gzip")
	}
	r.content = &measured{from: zip, packed: packed, limits: limits}
	r.tar = tar.NewReader(r.content)
	return r, nil
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) { return r.tar.Read(p) }

// Next reads the header of the next file. It returns io.EOF after the last file.
func (r *Reader) Next() error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	h, err := r.tar.Next()
	if errors.Is(err, tar.ErrHeader) {
		return Bad("the archive is damaged or not a tar file")
	}
	if err != nil {
		return err
	}
	r.Name, r.Size = h.Name, h.Size
	if len(r.Name) > 100 {
		r.Name = r.Name[:100]
	}
	if h.Typeflag != tar.TypeReg || len(h.PAXRecords) > 0 {
		return Bad("%q is not a regular file", r.Name)
	}
	return nil
}

// First reads the header of a file that the archive must begin with.
func (r *Reader) First(name string) error {
	err := r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return Bad("the archive is empty")
	case err == nil && r.Name != name:
		return Bad("found %q instead of %s", r.Name, name)
	}
	return err
}

// Version reads the file with the version of the format, which must be the given one.
func (r *Reader) Version(name, version string) error {
	if err := r.First(name); err != nil {
		return err
	}
	found, err := io.ReadAll(io.LimitReader(r, 64))
	if err == nil && string(found) != version {
		return Bad("the archive has the format %.20q; this service reads %q", found, version)
	}
	return err
}

// Finish reads the rest after the last file: these bytes count towards the limits too, and the checksum at the end is
// checked.
func (r *Reader) Finish() error {
	_, err := io.Copy(io.Discard, r.content)
	return err
}

// Explain returns why reading the archive failed: an error of the source takes precedence over what it caused.
func (r *Reader) Explain(err error) error {
	if r.packed.failed != nil {
		return r.packed.failed
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return Bad("the archive is damaged")
	}
	return err
}

// Count counts a record and checks the limit.
func (r *Reader) Count() error {
	if r.Records++; r.Records > r.limits.Records {
		return Bad("the archive has more than %d records", r.limits.Records)
	}
	return nil
}

// source counts packed bytes and keeps the error of a failed read.
type source struct {
	from   io.Reader
	n      int64
	failed error
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		s.failed = err
	}
	return n, err
}

// measured reads unpacked bytes and fails when there are too many.
type measured struct {
	from   io.Reader
	packed *source
	limits Limits
	n      int64
}

// Read implements io.Reader. All errors of a damaged file become a *BadArchiveError.
func (m *measured) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.n += int64(n)
	switch {
	case m.n > m.limits.Bytes:
		return 0, Bad("the unpacked archive is larger than %d bytes", m.limits.Bytes)
	case m.n > m.limits.Free && m.n/m.limits.Ratio > m.packed.n:
		return 0, Bad("the compression ratio of the archive is too high (maximum is %d)", m.limits.Ratio)
	case err != nil && !errors.Is(err, io.EOF) && m.packed.failed == nil:
		return n, Bad("the archive is damaged")
	}
	return n, err
}

// Limited is a reader that fails with ErrTooLarge after too many bytes.
type Limited struct {
	From io.Reader
	Left int64
}

// Read implements io.Reader.
func (l *Limited) Read(p []byte) (int, error) {
	n, err := l.From.Read(p)
	if l.Left -= int64(n); l.Left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}
