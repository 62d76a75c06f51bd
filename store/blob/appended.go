package blob

import (
	"context"
	"errors"
	"io"
)

// appended reads the parts of a file one after the other, and opens each part when it is needed.
type appended struct {
	ctx     context.Context
	bucket  *bucket
	key     string
	parts   []span
	at, end int64
	open    io.ReadCloser
	left    int64 // bytes left of the open part
}

// Read reads on. A part ends where the next one begins: bytes after that were never acknowledged.
func (a *appended) Read(p []byte) (int, error) {
	for a.at < a.end {
		if a.left == 0 {
			if err := a.next(); err != nil {
				return 0, err
			}
		}
		n, err := a.open.Read(p[:min(int64(len(p)), a.left)])
		a.at, a.left = a.at+int64(n), a.left-int64(n)
		if n > 0 || len(p) == 0 {
			return n, nil
		}
		if errors.Is(err, io.EOF) {
			return 0, io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, io.EOF
}

// next opens the part that contains the position.
func (a *appended) next() error {
	if err := a.Close(); err != nil {
		return err
	}
	for i, s := range a.parts {
		end := s.offset + s.size
		if i+1 < len(a.parts) {
			end = min(end, a.parts[i+1].offset)
		}
		if a.at < s.offset || a.at >= end {
			continue
		}
		a.left = min(end, a.end) - a.at
		var err error
		a.open, err = a.bucket.get(a.ctx, partKey(a.key, s.offset), a.at-s.offset, a.left)
		return err
	}
	return io.ErrUnexpectedEOF
}

// Close closes the open part.
func (a *appended) Close() error {
	if a.open == nil {
		return nil
	}
	open := a.open
	a.open = nil
	return open.Close()
}
