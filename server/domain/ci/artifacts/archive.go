package artifacts

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"svc/store/blob"
	"svc/store/model"
)

// ErrTooMany means that the archive has more files than the caller's limit.
var ErrTooMany = errors.New("the archive has too many files")

// maxDirectory is the largest zip directory, in bytes, that Archive loads into memory.
const maxDirectory = 64 << 20

// Archive is an open zip archive with the list of all its files.
type Archive struct {
	*zip.Reader
	at *blocks
}

// ReadError returns the error that occurred while reading the stored archive, or nil. A malformed entry is not such an
// error.
func (a *Archive) ReadError() error { return a.at.failed }

// Archive opens the zip file of an artifact. It fails with ErrTooMany if the archive has more than most files, and with
// ErrNoEntry if the artifact is not a zip file.
func (k *Service) Archive(ctx context.Context, a model.JobArtifact, most int) (*Archive, error) {
	at := &blocks{from: blob.ReaderAt{Context: ctx, Store: k.blobs, Key: a.Key, Size: a.Size}, size: a.Size}
	archive, err := openZip(at, a.Size, most)
	if at.failed != nil {
		return nil, fmt.Errorf("read artifact %d: %w", a.ID, at.failed)
	}
	return &Archive{archive, at}, err
}

func openZip(from io.ReaderAt, size int64, most int) (*zip.Reader, error) {
	d, err := findDirectory(from, size)
	if err != nil {
		return nil, ErrNoEntry
	}
	// zip.NewReader loads every entry into memory, so check the size of the directory first.
	n, err := d.count(from, most)
	switch {
	case err != nil:
		return nil, ErrNoEntry
	case n > most || d.size > maxDirectory:
		return nil, ErrTooMany
	}
	archive, err := zip.NewReader(from, size)
	if err != nil || len(archive.File) > most {
		return nil, ErrNoEntry
	}
	return archive, nil
}

// count counts the entries of a directory. It stops at most+1.
func (d directory) count(from io.ReaderAt, most int) (int, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(from, d.start, d.size), directoryBuf)
	head := make([]byte, entryLength)
	for n := range most + 1 {
		if _, err := io.ReadFull(in, head); err != nil {
			return n, ignoreEOF(err)
		}
		if binary.LittleEndian.Uint32(head) != entryMark {
			return n, nil
		}
		rest := int(binary.LittleEndian.Uint16(head[28:])) + int(binary.LittleEndian.Uint16(head[30:])) +
			int(binary.LittleEndian.Uint16(head[32:]))
		if _, err := in.Discard(rest); err != nil {
			return n + 1, ignoreEOF(err)
		}
	}
	return most + 1, nil
}
