// Package blob keeps files: the logs and artifacts of jobs, exports of groups, and sites. A file has a key that we made, never a caller's text. It is either
// put as a whole, or appended to.
//
//	blob.go       keys, and what a store of files can do
//	folder.go     files in a folder
//	bucket.go     files in a bucket that speaks the protocol of S3
//	signature.go  how requests to a bucket are signed
package blob

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ErrNotFound is a file that is not there.
var ErrNotFound = errors.New("the file is not there")

// Store keeps files by their keys.
type Store interface {
	// Put keeps a file as a whole: it is there with all its bytes, or not at all. The number of bytes comes back.
	Put(ctx context.Context, key string, from io.Reader) (int64, error)
	// Append writes bytes at an offset. What lies before the offset stays as it is; what lay behind it was never acknowledged.
	// When it returns, the bytes are on disk.
	Append(ctx context.Context, key string, offset int64, p []byte) error
	// Read reads length bytes of a file that was put, from an offset on.
	Read(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// ReadAppended is Read for a file that was appended to.
	ReadAppended(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes a file, however it was written; one that is gone is no failure.
	Delete(ctx context.Context, key string) error
	// Place says where the files are, for people.
	Place() string
	// Mark returns the id of the instance that the files belong to; empty where there is none yet. It fails where the store cannot
	// be reached.
	Mark(ctx context.Context) (string, error)
	// SetMark writes the id of the instance.
	SetMark(ctx context.Context, id string) error
	// Guard refuses to write from now on where the mark is not that of an instance. It is called before files are used.
	Guard(id string)
	// Check returns an error if files cannot be written now, as far as that can be found out at once.
	Check(ctx context.Context) error
	// Tidy removes what killed servers left unfinished before a time.
	Tidy(before time.Time) error
}

// Open opens the store that a URL names: s3://bucket/prefix?endpoint=…&region=… with the keys as user and password. Without a URL
// it is a folder. Bytes that are on their way to a bucket rest in the folder, too.
func Open(address, folder string) (Store, error) {
	disk, err := newFolder(folder)
	if err != nil || address == "" {
		return disk, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL of the store of files cannot be read") // it may hold a secret
	}
	return newBucket(u, disk)
}

// ArtifactKey makes up a key.
func ArtifactKey() string { return "artifacts/" + random() }

// ExportKey makes up a key for the export of a group.
func ExportKey() string { return "exports/" + random() }

func random() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return hex.EncodeToString(bytes[:])
}

// PagesKey makes up a key for a site.
func PagesKey() string { return "pages/" + strings.TrimPrefix(ArtifactKey(), "artifacts/") }

// LogKey is the key of the log of a job. The migration that removes logs with their jobs writes it, too.
func LogKey(jobID int64) string { return "logs/" + strconv.FormatInt(jobID, 10) }

// check refuses what is no key of ours, so that nothing else ever becomes a path.
func check(key string) error {
	kind, name, _ := strings.Cut(key, "/")
	if (kind != "logs" && kind != "artifacts" && kind != "exports" && kind != "pages") || name == "" || len(name) > 64 || strings.Trim(name, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is not a key", key)
	}
	return nil
}

// ReaderAt reads anywhere in a file that was put.
type ReaderAt struct {
	Context context.Context
	Store   Store
	Key     string
	Size    int64
}

// ReadAt reads at an offset.
func (r ReaderAt) ReadAt(p []byte, offset int64) (int, error) {
	want := min(int64(len(p)), r.Size-offset)
	if offset < 0 || want <= 0 {
		return 0, io.EOF
	}
	from, err := r.Store.Read(r.Context, r.Key, offset, want)
	if err != nil {
		return 0, err
	}
	n, err := io.ReadFull(from, p[:want])
	err = errors.Join(err, from.Close())
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}
