package git

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The archive cache is a folder beside the repositories, with one folder for each repository.
const (
	archiveFolder = "@archives"
	archiveBytes  = 1 << 30   // of all archives together
	archiveMost   = 256 << 20 // of one archive
	archiveTemp   = "tmp-"
	archiveStale  = 2 * time.Hour // age after which a temporary file counts as left by a killed server
)

// archives returns the folder with the archives of this repository.
func (r Repo) archives() string {
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(r.dir)))) // a repository lies in @hashed and two more folders
	return filepath.Join(root, archiveFolder, strings.TrimSuffix(filepath.Base(r.dir), ".git"))
}

// openArchiveFile opens a file and marks it as used.
func openArchiveFile(name string) (*os.File, bool) {
	file, err := os.Open(name)
	if err != nil {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(name, now, now) // otherwise makeRoom removes it earlier
	return file, true
}

// archiveWriter is an archive that is being written to the cache. It swallows errors: only the next caller would miss the
// file.
type archiveWriter struct {
	file *os.File
	to   string
	size int64
}

func newArchiveWriter(folder, name string) *archiveWriter {
	k := &archiveWriter{to: filepath.Join(folder, name)}
	if os.MkdirAll(folder, 0o700) == nil {
		k.file, _ = os.CreateTemp(folder, archiveTemp)
	}
	return k
}

// Write adds bytes to the file. It never fails.
func (k *archiveWriter) Write(p []byte) (int, error) {
	k.size += int64(len(p))
	if k.file == nil {
		return len(p), nil
	}
	if _, err := k.file.Write(p); err != nil || k.size > archiveMost {
		k.discard()
	}
	return len(p), nil
}

func (k *archiveWriter) discard() {
	if k.file != nil {
		k.file.Close()
		os.Remove(k.file.Name())
		k.file = nil
	}
}

// commit syncs the file, puts it in its place and removes old archives to make room.
func (k *archiveWriter) commit() {
	if k.file == nil {
		return
	}
	name := k.file.Name()
	if errors.Join(k.file.Sync(), k.file.Close(), os.Rename(name, k.to)) != nil {
		os.Remove(name)
	}
	k.file = nil
	makeRoom(filepath.Dir(filepath.Dir(k.to)), archiveBytes, time.Now())
}

type archiveFile struct {
	name string
	size int64
	used time.Time
}

// makeRoom removes the least recently used archives until the rest fits, and temporary files that a killed server left.
func makeRoom(folder string, most int64, now time.Time) {
	names, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		return
	}
	var files []archiveFile
	sum := int64(0)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if strings.HasPrefix(filepath.Base(name), archiveTemp) {
			if now.Sub(info.ModTime()) > archiveStale {
				os.Remove(name)
			}
			continue
		}
		files = append(files, archiveFile{name, info.Size(), info.ModTime()})
		sum += info.Size()
	}
	slices.SortFunc(files, func(a, b archiveFile) int { return a.used.Compare(b.used) })
	for _, f := range files {
		if sum <= most {
			return
		}
		if os.Remove(f.name) == nil {
			sum -= f.size
		}
	}
}
