// Package lfs stores the content of Git LFS objects: in the bucket, or without one on the storages, beside the
// repositories. A file is named by the SHA-256 of its content, and is complete or does not exist.
//
//	lfs.go      files on the storages
//	bucket.go   files in the bucket
//	check.go    checks of files
//	restore.go  files of a backup
//	pointer.go  the files in repositories that stand for objects
package lfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"svc/store/blob"
	"svc/store/storage"
)

var (
	// ErrSize is returned for content that is shorter or longer than declared.
	ErrSize = errors.New("the size of the content differs")
	// ErrContent is returned for content with another digest than declared.
	ErrContent = errors.New("the SHA-256 of the content differs")
)

// Files gives access to all LFS objects.
type Files struct {
	roots  map[string]string
	marks  map[string]*storage.Mark // nil if storages are not marked
	bucket blob.Bucket              // nil without one
	local  string                   // folder for drafts on their way to the bucket
}

// Guard sets the marks that storages must have, by storage name. Call it before files are used.
func (f *Files) Guard(marks map[string]*storage.Mark) { f.marks = marks }

// Open returns the LFS objects in the given folders, one folder for each storage.
func Open(roots map[string]string) (*Files, error) {
	all := map[string]string{}
	for name, root := range roots {
		abs, err := filepath.Abs(root)
		if err != nil {
			return nil, err
		}
		all[name] = filepath.Join(abs, "@lfs")
	}
	return &Files{roots: all}, nil
}

// IsOID reports whether a text is a valid id of an LFS object.
func IsOID(oid string) bool {
	return len(oid) == 2*sha256.Size && strings.Trim(oid, "0123456789abcdef") == ""
}

// Storages returns the names of the storages, and InBucket if there is a bucket.
func (f *Files) Storages() []string {
	var names []string
	for name := range f.roots {
		names = append(names, name)
	}
	if f.bucket != nil {
		names = append(names, InBucket)
	}
	return names
}

func (f *Files) place(storage, oid string) string {
	return filepath.Join(f.roots[storage], oid[:2], oid[2:4], oid)
}

// Path returns the path of the file of an LFS object.
func (f *Files) Path(storage, oid string) string { return f.place(storage, oid) }

func (f *Files) drafts(storage string) string {
	if storage == InBucket {
		return f.local
	}
	return filepath.Join(f.roots[storage], "drafts")
}

// Read opens an LFS object on a storage.
func (f *Files) Read(storage, oid string) (*os.File, error) {
	file, err := os.Open(f.place(storage, oid))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.marks[storage].Missing(err)
	}
	return file, err
}

// Remove removes an LFS object. It is no error if the object does not exist.
func (f *Files) Remove(ctx context.Context, storage, oid string) error {
	if storage == InBucket {
		return f.removeFromBucket(ctx, oid)
	}
	err := os.Remove(f.place(storage, oid))
	if errors.Is(err, fs.ErrNotExist) {
		return f.marks[storage].Check()
	}
	return err
}

// Draft is a received LFS object that is not in its place yet.
type Draft struct {
	files        *Files
	storage, oid string
	size         int64
	file         *os.File
	placed       bool
}

// chunk is how many bytes of an object are in memory at a time.
const chunk = 256 << 10

// Receive writes content to a draft for a storage, or for the bucket, and checks its size and digest. The caller must
// always discard the draft at the end. A failure leaves nothing.
func (f *Files) Receive(storage, oid string, size int64, from io.Reader) (*Draft, error) {
	if f.roots[storage] == "" && (storage != InBucket || f.bucket == nil) {
		return nil, fmt.Errorf("there is no storage %q", storage)
	}
	if err := f.marks[storage].Check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(f.drafts(storage), 0o700); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(f.drafts(storage), oid+"-")
	if err != nil {
		return nil, err
	}
	d := &Draft{files: f, storage: storage, oid: oid, size: size, file: file}
	if err := d.fill(size, from); err != nil {
		d.Discard()
		return nil, err
	}
	return d, nil
}

func (d *Draft) fill(size int64, from io.Reader) error {
	sum := sha256.New()
	n, err := io.CopyBuffer(io.MultiWriter(d.file, sum), io.LimitReader(from, size+1), make([]byte, chunk))
	switch {
	case err != nil:
		return err
	case n != size:
		return ErrSize
	case hex.EncodeToString(sum.Sum(nil)) != d.oid:
		return ErrContent
	}
	return d.file.Sync()
}

// Store moves the file into its place, unless the given storage has it already. It returns the storage that has it. A file
// for the bucket always goes there.
func (d *Draft) Store(ctx context.Context, storage string) (string, error) {
	if d.storage == InBucket {
		return InBucket, d.Upload(ctx)
	}
	if storage != d.storage && d.files.roots[storage] != "" {
		if _, err := os.Stat(d.files.place(storage, d.oid)); err == nil {
			return storage, nil
		}
	}
	place := d.files.place(d.storage, d.oid)
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(d.file.Name(), place); err != nil {
		return "", err
	}
	d.placed = true
	for folder := filepath.Dir(place); ; folder = filepath.Dir(folder) {
		if err := syncFolder(folder); err != nil {
			return "", err
		}
		if folder == d.files.roots[d.storage] {
			return d.storage, nil
		}
	}
}

// Discard closes a draft, and removes it unless Place has moved it.
func (d *Draft) Discard() {
	d.file.Close()
	if !d.placed {
		os.Remove(d.file.Name()) // Tidy removes what is left
	}
}

// syncFolder makes the names in a folder survive a power cut.
func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Tidy removes drafts that are older than a time, which a killed server has left.
func (f *Files) Tidy(storage string, before time.Time) error {
	if storage == InBucket {
		return nil // package blob removes them
	}
	entries, err := os.ReadDir(f.drafts(storage))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.ModTime().Before(before) {
			if err := os.Remove(filepath.Join(f.drafts(storage), entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return err
}

// EachOlder calls see, folder by folder, with the LFS objects of a storage that are older than a time.
func (f *Files) EachOlder(ctx context.Context, storage string, before time.Time, see func(oids []string) error) error {
	if storage == InBucket {
		return f.eachOlderInBucket(ctx, before, see)
	}
	folders, err := filepath.Glob(filepath.Join(escapeGlob(f.roots[storage]), "[0-9a-f][0-9a-f]", "[0-9a-f][0-9a-f]"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		var oids []string
		for _, entry := range entries {
			if info, err := entry.Info(); err == nil && IsOID(entry.Name()) && info.ModTime().Before(before) {
				oids = append(oids, entry.Name())
			}
		}
		if len(oids) == 0 {
			continue
		}
		if err := see(oids); err != nil {
			return err
		}
	}
	return nil
}

// escapeGlob escapes a path for use in a glob pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}
