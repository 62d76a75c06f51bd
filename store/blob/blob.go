// Package blob stores files: the logs and artifacts of jobs, packages, uploads, exports of groups, Pages sites and, in a
// bucket, Git LFS objects. A file has a key that svc made, never the text of a caller. A file is either put as a whole
// or appended to.
//
//	blob.go       keys, and the interface of a file store
//	folder.go     files in a folder
//	bucket.go     files in a bucket with the S3 protocol
//	answer.go     errors of a bucket, and answers that take too long
//	appended.go   reads a file that was appended to a bucket
//	limit.go      limits the size of a file
//	list.go       lists files
//	restore.go    writes files of a backup
//	server_time.go  the clock of a bucket
//	sync_linux.go, sync_other.go  sync a file to disk
package blob

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrNotFound is returned for a file that does not exist.
var ErrNotFound = errors.New("the file does not exist")

// Store stores files by their keys.
type Store interface {
	// Put stores a whole file: it exists with all its bytes, or not at all. Put returns the number of bytes.
	Put(ctx context.Context, key string, from io.Reader) (int64, error)
	// Append writes bytes at an offset. Bytes before the offset stay as they are; bytes after it were never
	// acknowledged. When Append returns, the bytes are on disk.
	Append(ctx context.Context, key string, offset int64, p []byte) error
	// Read reads length bytes, from an offset on, of a file that was put.
	Read(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// ReadAppended does the same as Read for a file that was appended to.
	ReadAppended(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes a file, however it was written. It is no error if the file does not exist.
	Delete(ctx context.Context, key string) error
	// List calls see with every file of a kind, in any order. A file that comes or goes meanwhile may be missed.
	List(ctx context.Context, kind string, see func(Object) error) error
	// Size returns the size of a file, or ErrNotFound.
	Size(ctx context.Context, key string) (int64, error)
	// Place describes for people where the files are.
	Place() string
	// Mark returns the id of the instance that the files belong to, or an empty string if there is none yet. It fails
	// if the store cannot be reached.
	Mark(ctx context.Context) (string, error)
	// SetMark writes the id of the instance.
	SetMark(ctx context.Context, id string) error
	// Unmark removes the id. The service then refuses to use the store.
	Unmark(ctx context.Context) error
	// Guard makes the store refuse writes unless it has the mark of the instance. Call it before files are used.
	Guard(id string)
	// Check returns an error if files cannot be written now. It only checks what it can find out at once.
	Check(ctx context.Context) error
	// Tidy removes unfinished files that killed servers left before a time.
	Tidy(before time.Time) error
}

// Bucket is a store in a bucket. All processes of an instance see the same files there.
type Bucket interface {
	Store
	// PutVerified stores a whole file whose size and SHA-256, in hexadecimal, are known.
	PutVerified(ctx context.Context, key string, from io.Reader, size int64, digest string) error
}

// Open opens the store that a URL names: s3://bucket/prefix?endpoint=…&region=… with the access keys as user and
// password. Without a URL the store is a folder. Files on their way to a bucket are held in the folder, too.
func Open(address, folder string) (Store, error) {
	disk, err := newFolder(folder)
	if err != nil || address == "" {
		return disk, err
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the URL of the blob store is invalid") // the URL may contain a secret
	}
	return newBucket(u, disk)
}

// ArtifactKey returns a new random key for an artifact.
func ArtifactKey() string { return "artifacts/" + random() }

// UploadKey returns a new random key for an upload.
func UploadKey() string { return "uploads/" + random() }

// ExportKey returns a new random key for the export of a group.
func ExportKey() string { return "exports/" + random() }

// PackageKey returns a new random key for a file of a package.
func PackageKey() string { return "packages/" + random() }

// LFSKey returns the key of a Git LFS object, which is named by its SHA-256.
func LFSKey(oid string) string { return LFS + "/" + oid }

func random() string {
	var bytes [16]byte
	rand.Read(bytes[:]) // never fails
	return hex.EncodeToString(bytes[:])
}

// PagesKey returns a new random key for a Pages site.
func PagesKey() string { return "pages/" + strings.TrimPrefix(ArtifactKey(), "artifacts/") }

// LogKey returns the key of the log of a job. The migration that removes logs with their jobs builds the same key.
func LogKey(jobID int64) string { return Logs + "/" + strconv.FormatInt(jobID, 10) }

const (
	// Logs is the kind of files that are appended to. All others are put as a whole.
	Logs = "logs"
	// LFS is the kind of Git LFS objects.
	LFS = "lfs"
)

// Kinds are the first segments of keys.
var Kinds = []string{Logs, "artifacts", "exports", "pages", "packages", "uploads", LFS}

// check refuses keys that svc did not make, so that nothing else ever becomes a path.
func check(key string) error {
	kind, name, _ := strings.Cut(key, "/")
	if !slices.Contains(Kinds, kind) || name == "" || len(name) > 64 || strings.Trim(name, "0123456789abcdef") != "" {
		return fmt.Errorf("%q is not a valid key", key)
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
