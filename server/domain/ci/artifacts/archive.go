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

// ErrTooMany is an archive with more files than are looked at.
var ErrTooMany = errors.New("the archive has too many files")

// maxDirectory is how long the directory of an archive may be that is held as a whole.
const maxDirectory = 64 << 20

// Archive is an archive with all its files.
type Archive struct {
	*zip.Reader
	at *blocks
}

// Failed is why the archive itself could not be read, unlike what is in it; nil if it could.
func (a *Archive) Failed() error { return a.at.failed }

// Archive opens an archive, if its files are not more than so many. What is no zip file is ErrNoEntry.
func (k *Keeper) Archive(ctx context.Context, a model.JobArtifact, most int) (*Archive, error) {
	at := &blocks{from: blob.ReaderAt{Context: ctx, Store: k.blobs, Key: a.Key, Size: a.Size}, size: a.Size}
	archive, err := archiveOf(at, a.Size, most)
	if at.failed != nil {
		return nil, fmt.Errorf("read artifact %d: %w", a.ID, at.failed)
	}
	return &Archive{archive, at}, err
}

func archiveOf(from io.ReaderAt, size int64, most int) (*zip.Reader, error) {
	d, err := findDirectory(from, size)
	if err != nil {
		return nil, ErrNoEntry
	}
	// The library holds what it finds, so how much that is has to be known before.
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

// count counts the entries of a directory, up to one more than so many.
func (d directory) count(from io.ReaderAt, most int) (int, error) {
	in := bufio.NewReaderSize(io.NewSectionReader(from, d.start, d.size), directoryBuf)
	head := make([]byte, entryLength)
	for n := range most + 1 {
		if _, err := io.ReadFull(in, head); err != nil {
			return n, ended(err)
		}
		if binary.LittleEndian.Uint32(head) != entryMark {
			return n, nil
		}
		rest := int(binary.LittleEndian.Uint16(head[28:])) + int(binary.LittleEndian.Uint16(head[30:])) + int(binary.LittleEndian.Uint16(head[32:]))
		if _, err := in.Discard(rest); err != nil {
			return n + 1, ended(err)
		}
	}
	return most + 1, nil
}
