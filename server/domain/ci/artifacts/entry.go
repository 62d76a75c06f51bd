package artifacts

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"sync"

	"svc/store/blob"
	"svc/store/model"
)

var (
	// ErrPath means that the path cannot name a file in an archive.
	ErrPath = errors.New("the path is not the path of a file")
	// ErrNoEntry means that the archive does not have the file, or has it in a form that we do not serve.
	ErrNoEntry = errors.New("the archive does not contain the file")
)

// Entry is a file inside an archive.
type Entry struct {
	Size int64
	file *zip.File
}

// Entry finds a file inside an archive. It does not find folders, symbolic links, or names that lead out of the
// archive.
func (k *Service) Entry(ctx context.Context, a model.JobArtifact, path string) (*Entry, error) {
	if !fs.ValidPath(path) || path == "." {
		return nil, ErrPath
	}
	at := &blocks{from: blob.ReaderAt{Context: ctx, Store: k.blobs, Key: a.Key, Size: a.Size}, size: a.Size}
	file, err := findEntry(at, a.Size, path)
	switch {
	case at.failed != nil:
		return nil, fmt.Errorf("read artifact %d: %w", a.ID, at.failed)
	case err != nil:
		return nil, ErrNoEntry // the file is missing, or the job did not upload a zip file
	case !file.Mode().IsRegular() || file.UncompressedSize64 > 1<<62:
		return nil, ErrNoEntry
	}
	return &Entry{Size: int64(file.UncompressedSize64), file: file}, nil
}

// findEntry finds the first entry with the given name. The directory may be as large as the archive, so entryOf scans it
// instead of loading it into memory.
func findEntry(from io.ReaderAt, size int64, path string) (*zip.File, error) {
	d, err := findDirectory(from, size)
	if err != nil {
		return nil, err
	}
	written, err := d.find(from, path)
	if err != nil {
		return nil, err
	}
	if written == nil {
		return nil, ErrNoEntry
	}
	one, length := d.singleEntry(from, written)
	archive, err := zip.NewReader(one, length)
	if err != nil {
		return nil, err
	}
	if len(archive.File) != 1 || archive.File[0].Name != path {
		return nil, ErrNoEntry
	}
	return archive.File[0], nil
}

// Checksum returns the CRC-32 of the file, as recorded in the archive, followed by its size.
func (e *Entry) Checksum() string {
	return strconv.FormatUint(uint64(e.file.CRC32), 16) + "-" + strconv.FormatInt(e.Size, 16)
}

// Open reads the file from an offset. The bytes before the offset are decompressed and discarded.
func (e *Entry) Open(offset int64) (io.ReadCloser, error) {
	from, err := e.file.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, ErrNoEntry
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, from, offset); err != nil {
		return nil, errors.Join(err, from.Close())
	}
	return from, nil
}

// blockSize is the number of bytes per read. The directory of an archive is read in small pieces, and each read may be
// a request to another server.
const blockSize = 128 << 10

// blocks is an io.ReaderAt that reads whole blocks and caches the last one.
type blocks struct {
	from   io.ReaderAt
	size   int64
	mu     sync.Mutex
	start  int64
	block  []byte
	failed error // the error of reading the stored file, as opposed to a malformed archive
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(p []byte, offset int64) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for n < len(p) && offset+int64(n) < b.size {
		at := offset + int64(n)
		if at < b.start || at >= b.start+int64(len(b.block)) {
			if err := b.load(at - at%blockSize); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], b.block[at-b.start:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (b *blocks) load(start int64) error {
	block := make([]byte, min(blockSize, b.size-start))
	if _, err := b.from.ReadAt(block, start); err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
		return err
	}
	b.start, b.block = start, block
	return nil
}
